import { join } from "node:path";
import { openReader } from "../../db/connect";
import { createSystemClock } from "../adapters/clock";
import { noCrashPoints } from "../adapters/crash-points";
import { SandboxControl, type ServicesRecords } from "../adapters/sandbox-control";
import { startSandbox } from "../sandbox/start-sandbox";
import type { DemoOptions } from "./demo-options";
import { violationsOf } from "./demo-report";
import { leftoversOf } from "./leftovers";
import { MEMBER, runMembership } from "./membership-run";
import { openSession } from "./session";
import type { Streams } from "./streams";

/** What the demo of the second pipeline prints with `--json`. */
export interface MembershipReport {
  pipeline: string;
  member: string;
  state: string;
  stopped: string | null;
  /** Actions the program has undone, in the order in which they were. */
  undone: readonly string[];
  /** Actions a person has followed up and closed. */
  manual: readonly string[];
  /** Records of the remotes that are not as they were and that nobody accounts for. */
  leftovers: number;
  leftoversFound: readonly string[];
  violations: number;
  violationsFound: readonly string[];
  entries: readonly { action: string; grade: string; state: string; note: string | null }[];
  events: readonly string[];
  durationMs: number;
  workspace: string | null;
}

/** The gateway takes the message and does not answer: the fault that the origin begins with. */
const LOST_MESSAGE = { on: "message.send", fault: "hang-after-commit", times: 1 };
const realTime = createSystemClock();

/**
 * The second pipeline end to end: status, vouchers, a message whose answer is lost, and the way back.
 * @returns the exit code: 0 only when it ended, nothing is left over, and nothing is violated
 */
export async function membershipDemo(
  options: DemoOptions,
  dir: string,
  samplesDir: string,
  streams: Streams,
): Promise<number> {
  const startedAt = realTime.monotonic();
  const own = options.sandbox === null ? await startSandbox({ dir: join(dir, "remote"), samplesDir }) : null;
  const url = own?.url ?? (options.sandbox as string);
  try {
    const control = new SandboxControl(url);
    if (own !== null && options.faults) await control.addFault(LOST_MESSAGE);
    const before = (await control.records())?.services ?? null;
    const stopped = await runThrough(options, dir, url);
    const after = (await control.records())?.services ?? null;
    const durationMs = Math.round(realTime.monotonic() - startedAt);
    const report = reportOn(dir, { stopped, before, after, durationMs, kept: options.workspace !== null });
    streams.out(options.json ? `${JSON.stringify(report)}\n` : inWords(report));
    if (stopped !== null) streams.err(`demo: ${stopped}\n`);
    const isEnded = report.state === "compensated" || report.state === "succeeded";
    return isEnded && report.leftovers === 0 && report.violations === 0 ? 0 : 1;
  } finally {
    await own?.close();
  }
}

async function runThrough(options: DemoOptions, dir: string, remoteUrl: string): Promise<string | null> {
  const { edition, language } = options;
  const session = openSession({ dir, remoteUrl, sourcesUrl: null, edition, crash: noCrashPoints });
  try {
    const { clock, control, workspace } = session;
    return (await runMembership(workspace, { clock, control, language })).stopped;
  } finally {
    session.close();
  }
}

interface EntryFacts {
  id: string;
  action: string;
  grade: string;
  state: string;
}
interface EventFacts {
  type: string;
  reason: string | null;
  compensationId: string | null;
}

function reportOn(
  dir: string,
  run: {
    stopped: string | null;
    before: ServicesRecords | null;
    after: ServicesRecords | null;
    durationMs: number;
    kept: boolean;
  },
): MembershipReport {
  const reader = openReader(join(dir, "journal.db"));
  try {
    const task = reader
      .prepare<[string], { id: string; state: string }>("SELECT id, state FROM task WHERE pipeline = ? LIMIT 1")
      .get("membership-cancellation");
    const entries = reader.prepare<[], EntryFacts>("SELECT id, action, grade, state FROM compensation").all();
    const events = reader
      .prepare<[], EventFacts>(
        "SELECT type, reason, json_extract(payload, '$.compensationId') AS compensationId FROM event ORDER BY seq",
      )
      .all();
    const actionsOf = (type: string) =>
      events.filter((event) => event.type === type).map((event) => actionOf(entries, event.compensationId));
    const manual = actionsOf("CompensationClosed");
    const isTakenBack = task?.state !== "succeeded";
    const leftoversFound = isTakenBack ? leftoversOf(run.before, run.after, manual) : [];
    const violationsFound = violationsOf(dir);
    return {
      pipeline: "membership-cancellation",
      member: MEMBER,
      state: task?.state ?? "none",
      stopped: run.stopped,
      undone: actionsOf("CompensationEntryDone"),
      manual,
      leftovers: leftoversFound.length,
      leftoversFound,
      violations: violationsFound.length,
      violationsFound,
      entries: entries.map(({ id, action, grade, state }) => ({ action, grade, state, note: noteOn(events, id) })),
      events: events.map((event) => event.type),
      durationMs: run.durationMs,
      workspace: run.kept ? dir : null,
    };
  } finally {
    reader.close();
  }
}

const actionOf = (entries: readonly EntryFacts[], id: string | null): string =>
  entries.find((entry) => entry.id === id)?.action ?? String(id);

const noteOn = (events: readonly EventFacts[], id: string): string | null =>
  events.find((event) => event.type === "CompensationClosed" && event.compensationId === id)?.reason ?? null;

function inWords(report: MembershipReport): string {
  const lines = [
    `Cancellation of ${report.member}: ${report.state}`,
    `  undone     ${report.undone.join(", ") || "nothing"}`,
    `  a person   ${report.manual.join(", ") || "nothing"}`,
    `  left over  ${report.leftovers}`,
    ...report.leftoversFound.map((leftover) => `             ! ${leftover}`),
    `  journal    ${report.events.length} events, ${report.violations} violations`,
    ...report.violationsFound.map((violation) => `             ! ${violation}`),
  ];
  return `${lines.join("\n")}\n`;
}
