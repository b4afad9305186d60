/** What a part came to, or why it was not measured here. */
export type Measured = { readonly notMeasured: string } | object;

/** A part that cannot be measured here does not take the others with it. */
export async function tryToMeasure(measure: () => Promise<Measured> | Measured): Promise<Measured> {
  try {
    return await measure();
  } catch (error) {
    const { code, syscall = "", path } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" && syscall.startsWith("spawn")) return { notMeasured: `this machine has no ${path}` };
    return { notMeasured: error instanceof Error ? error.message : String(error) };
  }
}
