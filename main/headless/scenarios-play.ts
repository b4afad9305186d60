import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openReader } from "../../db/connect";
import { createSystemClock } from "../adapters/clock";
import { openDebugLog } from "../adapters/debug-log";
import { SandboxControl } from "../adapters/sandbox-control";
import { importAudienceFile } from "../compose/customers";
import { deadlineOf } from "../domain/schedule";
import { briefingDefinition } from "../pipeline/briefing/definition";
import type { DraftDocument } from "../pipeline/briefing/draft-schema";
import { thawJson } from "../pipeline/briefing/frozen";
import type { Scenario } from "../sandbox/scenarios/stage";
import { startSandbox } from "../sandbox/start-sandbox";
import { createScenarioClock } from "./scenarios-engine";
import { readOutcome, type ScenarioOutcome } from "./scenarios-outcome";
import { ScenarioPlay } from "./scenarios-stage";
import { listSources } from "./session";

const EDITION = "2026-W30";
const DAY_MS = 86_400_000;
const realTime = createSystemClock();

export interface Played {
  outcome: ScenarioOutcome;
  ms: number;
}

/**
 * Plays one scenario on a throw-away workspace: real engine, real SQLite, real HTTP servers, a clock that stands until it is
 * moved. Nothing is judged here.
 */
export async function playScenario(scenario: Scenario, samplesDir: string): Promise<Played> {
  const startedAt = realTime.monotonic();
  const dir = mkdtempSync(join(tmpdir(), `imprimatur-${scenario.id.toLowerCase()}-`));
  const { local = "08:00", daysBefore = 0 } = scenario.beginsAt ?? {};
  const clock = createScenarioClock(
    deadlineOf(EDITION, local, briefingDefinition.deadlines.zone) - daysBefore * DAY_MS,
  );
  // The server's own time is the workspace's: it must not run ahead of what requests carry.
  const sandbox = await startSandbox({
    dir: join(dir, "remote"),
    samplesDir,
    now: () => clock.now(),
    ...(scenario.config ? { config: scenario.config } : {}),
  });
  const control = new SandboxControl(sandbox.url);
  try {
    for (const fault of scenario.faults ?? []) await control.addFault(fault);
    const sources = await listSources(sandbox.url);
    const replaced = scenario.replaced ?? {};
    const report = openDebugLog(join(dir, "logs"), () => clock.now());
    const play = new ScenarioPlay({ dir, clock, control, sources, replaced, edition: EDITION, report });
    try {
      importAudienceFile(play.engine.workspace.customers, readFileSync(join(samplesDir, "audience.csv")));
      if (!scenario.startsItself) play.start();
      await scenario.play(play);
      await play.show("end");
      const records = await control.records();
      if (records === null) throw new Error("the sandbox keeps no records");
      const { commits, shown } = play;
      const answers = [...play.answers, ...(replaced.brokenMonitor ? [lookIntoLog(join(dir, "logs"), play)] : [])];
      play.close();
      const reader = openReader(join(dir, "journal.db"));
      try {
        const read = readOutcome({ dir, reader, records, answers, shown });
        const outcome = scenario.countsCommits ? { ...read, commits } : read;
        return { outcome, ms: Math.round(realTime.monotonic() - startedAt) };
      } finally {
        reader.close();
      }
    } finally {
      play.close();
    }
  } finally {
    clock.stop();
    await sandbox.close();
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Whether the debug log was written, and whether a customer's address or a word of the edition stands in it. */
function lookIntoLog(folder: string, play: ScenarioPlay): string {
  const text = readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), "utf8"))
    .join("");
  const { customers, blobs } = play.engine.workspace;
  const ids = customers.recipients().map((row) => row.recipientId);
  const draft = thawJson<DraftDocument>(blobs, String(play.view().task.context["draftHash"]));
  const content = [
    ...customers.addressesFor(ids).values(),
    draft.title,
    ...draft.facts.flatMap((fact) => [fact.headline, fact.quote]),
  ];
  const found = content.filter((words) => text.includes(words)).length;
  return `debug log: ${text === "" ? "not written" : "written"}, customer content in it: ${found}`;
}
