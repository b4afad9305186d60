import { addEdition, freshDir } from "./bundle-kit";

/** An edition from before the workspace had a signing key, and one from after: two approvals unsigned, two signed. */
export async function signedWorkspace(): Promise<string> {
  const dir = freshDir();
  await addEdition(dir, "2026-W30", "--unsigned");
  await addEdition(dir, "2026-W31");
  return dir;
}
