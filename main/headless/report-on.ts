import { join } from "node:path";
import { openReader } from "../../db/connect";
import type { DemoOptions } from "./demo-options";
import { buildReport, type DemoReport } from "./demo-report";
import type { Remotes } from "./remotes";

export const isGood = (report: DemoReport): boolean => report.state === "succeeded" && report.violations === 0;

/** The report from the journal on disk and the remote's own records. */
export async function reportOn(
  options: DemoOptions,
  dir: string,
  remotes: Remotes,
  stopped: string | null,
  durationMs: number,
): Promise<DemoReport> {
  const reader = openReader(join(dir, "journal.db"));
  try {
    const after = await remotes.control.records();
    return buildReport({
      dir,
      reader,
      before: remotes.before,
      after,
      stopped,
      durationMs,
      kept: options.workspace !== null,
    });
  } finally {
    reader.close();
  }
}
