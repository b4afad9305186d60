import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { noteMoved } from "../../db/workspace-note";
import { openDebugLog } from "../adapters/debug-log";
import { SandboxControl } from "../adapters/sandbox-control";
import { registerFolderKey } from "../compose/approval-signer";
import { importAudienceFile } from "../compose/customers";
import { objectionToFolder } from "../compose/folder-to-fill";
import type { Instant } from "../domain/ids";
import type { Ledger } from "../domain/ledger";
import { type Mix, MOST_EDITIONS } from "../sandbox/ledger/mix";
import { planWeek, type WeekPlan } from "../sandbox/ledger/week-plan";
import { writeWeeklySources } from "../sandbox/ledger/weekly-sources";
import { startSandbox } from "../sandbox/start-sandbox";
import { countLedger } from "./ledger-count";
import { liveThroughWeek } from "./ledger-week";
import { createScenarioClock } from "./scenarios-engine";
import type { StageInput } from "./scenarios-engines";
import { ScenarioPlay } from "./scenarios-stage";
import { Watch } from "./scenarios-watch";
import { listSources, startOf, writeClock } from "./session";

/** The year whose weeks are lived through. */
const YEAR = 2026;

/** The news of every week stays with the workspace: the pages that its editions cite are served from there. */
const samplesOf = (dir: string): string => join(dir, "samples");

export interface LedgerRun {
  /** Where the workspace is to be; it must not exist yet, or be empty. */
  dir: string;
  samplesDir: string;
  mix: Mix;
  /** Told before each week, and after the last one. */
  onWeek(done: number): void;
  /** Aborted, the run ends after the week under way and leaves nothing behind. */
  signal: AbortSignal;
}

/**
 * Lives through the weeks of a mix with the real engine, journal and remotes, and counts what came of them. The workspace is
 * built beside its place and moved there when it is whole: interrupted, nothing is at that place.
 * @throws Error when the folder is not empty or cannot be written. @throws the signal's reason when it was aborted.
 */
export async function runLedger(run: LedgerRun): Promise<Ledger> {
  const { dir } = run;
  const objection = objectionToFolder(dir);
  if (objection !== null) throw new Error(objection);
  mkdirSync(dirname(dir), { recursive: true });
  const building = mkdtempSync(join(dirname(dir), `${basename(dir)}.building-`));
  try {
    const ledger = await build(run, building);
    if (existsSync(dir)) rmdirSync(dir);
    renameSync(building, dir);
    noteMoved(dir, join(dir, "journal.db"));
    return ledger;
  } finally {
    rmSync(building, { recursive: true, force: true });
  }
}

async function build({ samplesDir, mix, onWeek, signal }: LedgerRun, dir: string): Promise<Ledger> {
  const weeks = weeksOfTheYear();
  const ownSamples = samplesOf(dir);
  writeWeeklySources(ownSamples, samplesDir, weeks);
  const clock = createScenarioClock(weeks[0]?.startAt ?? 0);
  const sandbox = await startSandbox({ dir: join(dir, "remote"), samplesDir: ownSamples, now: () => clock.now() });
  try {
    const control = new SandboxControl(sandbox.url);
    const sources = await listSources(sandbox.url);
    for (const [index, { edition, startAt }] of weeks.slice(0, mix.editions).entries()) {
      onWeek(index);
      signal.throwIfAborted();
      await clock.advanceTo(startAt);
      await playEdition({ dir, clock, control, sources, edition }, planWeek(mix, index + 1));
    }
    onWeek(mix.editions);
    writeClock(dir, clock.now());
    return await countLedger(dir, control);
  } finally {
    clock.stop();
    await sandbox.close();
  }
}

const weeksOfTheYear = (): { edition: string; startAt: Instant }[] =>
  Array.from({ length: MOST_EDITIONS }, (_, index) => {
    const edition = `${YEAR}-W${String(index + 1).padStart(2, "0")}`;
    return { edition, startAt: startOf(edition) };
  });

/** A process of its own a week, as a laptop that is shut down in between. */
async function playEdition(
  place: Pick<StageInput, "dir" | "clock" | "control" | "sources" | "edition">,
  plan: WeekPlan,
): Promise<void> {
  const { dir, clock, control } = place;
  await control.clearFaults();
  for (const fault of plan.faults) await control.addFault(fault);
  const report = openDebugLog(join(dir, "logs"), () => clock.now());
  const watch = new Watch(nobodyWatches, () => clock.now());
  const play = new ScenarioPlay({ ...place, replaced: plan.replaced, report, website: nobodyElse, watch });
  try {
    const { customers, database } = play.engine.workspace;
    if (customers.importVersion() === 0)
      importAudienceFile(customers, readFileSync(join(samplesOf(dir), "audience.csv")));
    registerFolderKey(play.engine.workspace);
    play.start();
    await liveThroughWeek(play, plan);
    await control.clearFaults();
    database.noteHead();
  } finally {
    play.close();
  }
}

const nobodyWatches = (): void => undefined;
/** The editor is alone at the website. */
const nobodyElse = (): Promise<void> => Promise.reject(new Error("nobody else is at the website"));
