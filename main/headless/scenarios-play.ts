import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openReader } from "../../db/connect";
import { createSystemClock } from "../adapters/clock";
import { openDebugLog } from "../adapters/debug-log";
import { SandboxControl } from "../adapters/sandbox-control";
import { canonicalBytes, doneAnswer, joinUrl, sendJson } from "../adapters/sandbox-protocol";
import { importAudienceFile } from "../compose/customers";
import { deadlineOf } from "../domain/schedule";
import { briefingDefinition } from "../pipeline/briefing/definition";
import type { DraftDocument } from "../pipeline/briefing/draft-schema";
import { thawJson } from "../pipeline/briefing/frozen";
import type { PlayableScenario, ScenarioStage } from "../sandbox/scenarios/stage";
import { startSandbox } from "../sandbox/start-sandbox";
import { createScenarioClock } from "./scenarios-engine";
import type { StageInput } from "./scenarios-engines";
import { readOutcome, type ScenarioOutcome } from "./scenarios-outcome";
import { ScenarioPlay } from "./scenarios-stage";
import { type Step, Watch } from "./scenarios-watch";
import { listSources } from "./session";

const EDITION = "2026-W30";
const DAY_MS = 86_400_000;
const realTime = createSystemClock();

export interface Played {
  outcome: ScenarioOutcome;
  ms: number;
}

type OpenStage = (input: StageInput) => ScenarioPlay;

export interface Setting {
  samplesDir: string;
  /** An empty folder for everything that the play writes. */
  dir: string;
  openStage: OpenStage;
  /** Hears of everything as it happens. May not throw. */
  tell: (step: Step) => void;
}

/**
 * Plays one scenario in a temporary folder, which is removed afterwards.
 * @param openStage the stage it is played on, where more is to happen on it than the script says
 */
export async function playScenario(
  scenario: PlayableScenario,
  samplesDir: string,
  openStage: OpenStage = openPlainStage,
): Promise<Played> {
  const dir = mkdtempSync(join(tmpdir(), `imprimatur-${scenario.id.toLowerCase()}-`));
  try {
    return await playIn(scenario, { samplesDir, dir, openStage, tell: () => undefined });
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** The stage on which nothing happens but what the script says. */
export const openPlainStage: OpenStage = (input) => new ScenarioPlay(input);

/**
 * Plays one scenario on a throw-away workspace: real engine, real SQLite, real HTTP servers, a clock that stands until it is
 * moved. Nothing is judged here.
 */
export async function playIn(scenario: PlayableScenario, setting: Setting): Promise<Played> {
  const { samplesDir, dir, openStage, tell } = setting;
  const startedAt = realTime.monotonic();
  const { local = "08:00", daysBefore = 0 } = scenario.beginsAt ?? {};
  const clock = createScenarioClock(
    deadlineOf(EDITION, local, briefingDefinition.deadlines.zone) - daysBefore * DAY_MS,
  );
  const watch = new Watch(tell, () => clock.now());
  // The server's own time is the workspace's: it must not run ahead of what requests carry.
  const sandbox = await startSandbox({
    dir: join(dir, "remote"),
    samplesDir,
    now: () => clock.now(),
    onRecord: (record) => watch.recorded(record),
    ...(scenario.config ? { config: scenario.config } : {}),
  });
  const control = new SandboxControl(sandbox.url);
  try {
    for (const fault of scenario.faults ?? []) await control.addFault(fault);
    const sources = await listSources(sandbox.url);
    const replaced = scenario.replaced ?? {};
    const website = (does: ByHand) => atTheWebsite(sandbox.url, clock.now(), does);
    const report = openDebugLog(join(dir, "logs"), () => clock.now());
    const play = openStage({ dir, clock, control, sources, replaced, edition: EDITION, report, website, watch });
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
  }
}

type ByHand = Parameters<ScenarioStage["atTheWebsite"]>[0];

/** Somebody signed in at the website, with nothing of ours in between. */
async function atTheWebsite(base: string, now: number, does: ByHand): Promise<void> {
  const call = { signal: new AbortController().signal, now };
  const access = { token: "sandbox" };
  const by = { key: "by hand", expectedRevision: 2, taskId: "another", intentHash: "8".repeat(64) };
  const page = { title: "v31", html: "<!doctype html><title>v31</title><p>v31</p>", contentHash: "9".repeat(64) };
  const done =
    "overwrite" in does
      ? await sendJson(
          access,
          "PUT",
          joinUrl(base, `/cms/posts/${does.overwrite}`),
          canonicalBytes({ ...by, ...page }),
          call,
        )
      : await sendJson(
          access,
          "POST",
          joinUrl(base, `/cms/posts/${does.takeDown}/status`),
          canonicalBytes({ key: "by hand", status: "draft", expectedRevision: null }),
          call,
        );
  if (doneAnswer(done) === null) throw new Error(`the website refused it: ${JSON.stringify(done)}`);
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
