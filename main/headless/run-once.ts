import { readFileSync } from "node:fs";
import { join } from "node:path";
import { registerFolderKey } from "../compose/approval-signer";
import { importAudienceFile } from "../compose/customers";
import { problemOfFault } from "../compose/problem-of-fault";
import { Bug } from "../domain/ids";
import type { CrashPoints } from "../domain/ports";
import type { DemoOptions } from "./demo-options";
import { type EditionRun, runEdition } from "./edition-run";
import type { Remotes } from "./remotes";
import { openSession } from "./session";

/** One process's part: opens the workspace, takes the edition as far as it goes, closes. */
export async function runOnce(
  options: DemoOptions,
  dir: string,
  samplesDir: string,
  remotes: Pick<Remotes, "url" | "sourcesUrl">,
  crash: CrashPoints,
): Promise<EditionRun> {
  const session = openSession({
    dir,
    remoteUrl: remotes.url,
    sourcesUrl: remotes.sourcesUrl,
    edition: options.edition,
    crash,
  });
  try {
    loadAudience(session.workspace, options.audience ?? join(samplesDir, "audience.csv"));
    if (options.signs) registerFolderKey(session.workspace);
    return await runEdition(session.workspace, {
      clock: session.clock,
      control: session.control,
      edition: options.edition,
      language: options.language,
      unavailable: session.unavailable,
    });
  } catch (error) {
    throw named(error, session.workspace.database.path);
  } finally {
    session.close();
  }
}

/** A full disk or a damaged file is called what the app calls it; what is neither stays what it was. */
function named(error: unknown, journalPath: string): unknown {
  if (error instanceof Bug) return error;
  const { code, path, detail } = problemOfFault(error, journalPath);
  return code === "unknown" ? error : new Error(`${code}: ${path}: ${detail}`, { cause: error });
}

/** Once: a list that was imported already stays as it is, so that a restart is no change of the audience. */
function loadAudience(workspace: Parameters<typeof runEdition>[0], file: string): void {
  if (workspace.customers.importVersion() > 0) return;
  const loaded = importAudienceFile(workspace.customers, readFileSync(file));
  if (loaded.kind === "refused")
    throw new Error(`${file} was not imported, nothing of it: ${loaded.faults.join("; ")}`);
}
