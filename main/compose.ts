import { AppBackend } from "./compose/backend";
import type { BackendOptions } from "./compose/backend-options";

/** Builds everything below the shell and opens the workspace that was used last. */
export async function openBackend(options: BackendOptions): Promise<AppBackend> {
  const backend = new AppBackend(options);
  await backend.start();
  return backend;
}
