import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { MIGRATIONS, readStamp } from "../../db/migrate";
import { JOURNAL_NAME } from "../../db/open";
import { openSnapshot } from "../../db/snapshot-file";
import { createSystemClock } from "../adapters/clock";
import type { SandboxRecords } from "../adapters/sandbox-control";
import { type Ended, runChild, stoppedBy } from "./crash-child";
import type { CrashPlan, Moment } from "./crash-plan";
import type { DemoOptions } from "./demo-options";
import { type DemoReport, violationsOf } from "./demo-report";
import { type Remotes, startRemotes } from "./remotes";
import { isGood, reportOn } from "./report-on";

const realTime = createSystemClock();

/** One kill: when, the last event that was committed before it, and what was wrong with what it left. */
export interface KillReport {
  moment: Moment;
  lastEvent: string | null;
  found: readonly string[];
}

/** One edition through all its kills, and what is wrong with its end. */
export type KilledEdition = {
  seed: number;
  passed: boolean;
  faults: readonly string[];
  kills: readonly KillReport[];
  found: readonly string[];
} & DemoReport;

/**
 * Takes one edition through its plan: a child is started, killed, looked at, started again on the same files, and so on; the
 * last one is left alone and must end the edition.
 */
export async function killEdition(
  plan: CrashPlan,
  to: { options: DemoOptions; dir: string; samplesDir: string },
): Promise<KilledEdition> {
  const { options, dir, samplesDir } = to;
  const startedAt = realTime.monotonic();
  mkdirSync(dir, { recursive: true });
  const remotes = await startRemotes({ ...options, faults: false }, dir, samplesDir);
  try {
    await remotes.control.configure(plan.config);
    for (const fault of plan.faults) await remotes.control.addFault(fault);
    const kills: KillReport[] = [];
    let ended: Ended | null = null;
    for (const moment of plan.moments) {
      ended = await runChild({ options, dir, remotes, ...how(moment) });
      if (ended.signal !== "SIGKILL") break;
      kills.push({ moment, ...(await lookAt(dir, remotes)) });
      ended = null;
    }
    ended ??= await runChild({ options, dir, remotes });
    const report = await reportOn(options, dir, remotes, stoppedBy(ended), realTime.monotonic() - startedAt);
    const found = endFaults(report, await recordsOf(remotes));
    const passed = found.length === 0 && kills.every((kill) => kill.found.length === 0);
    const faults = plan.faults.map(({ on, fault }) => `${on} ${fault}`);
    return { seed: plan.seed, passed, faults, kills, found, ...report };
  } finally {
    await remotes.close();
    if (options.workspace === null) rmSync(dir, { recursive: true, force: true });
  }
}

const how = (moment: Moment): { more?: readonly string[]; killAfterMs?: number } =>
  "ms" in moment ? { killAfterMs: moment.ms } : { more: ["--kill-after", String(moment.points)] };

async function recordsOf(remotes: Remotes): Promise<SandboxRecords> {
  const records = await remotes.control.records();
  if (records === null) throw new Error(`${remotes.url} does not answer for its records`);
  return records;
}

/** What a kill left: the journal in order, and nothing outside that it does not know of. */
async function lookAt(dir: string, remotes: Remotes): Promise<Omit<KillReport, "moment">> {
  const records = await recordsOf(remotes);
  const known = readJournal(dir);
  // Killed before the journal had its tables: then there is nothing to check, and nothing may have been done.
  const violations = known === null ? [] : violationsOf(dir);
  return {
    lastEvent: known?.lastEvent ?? null,
    found: [...violations, ...beyondPromise(records), ...unknownTo(known?.sent ?? {}, records)],
  };
}

interface Known {
  lastEvent: string | null;
  /** How many create requests were recorded as sent, by kind. */
  sent: Readonly<Record<string, number>>;
}

/** What the journal says, or null as long as it is not made up yet. */
function readJournal(dir: string): Known | null {
  const path = join(dir, JOURNAL_NAME);
  if (!existsSync(path)) return null;
  const { sqlite, close } = openSnapshot(path);
  try {
    if (readStamp(sqlite).userVersion !== MIGRATIONS.at(-1)?.number) return null;
    const lastEvent = sqlite.prepare<[], string>("SELECT type FROM event ORDER BY seq DESC LIMIT 1").pluck().get();
    const rows = sqlite
      .prepare<[], [string, number]>(
        "SELECT o.kind, count(*) FROM attempt a JOIN operation o ON o.id = a.operation_id WHERE o.phase = 'create' GROUP BY 1",
      )
      .raw()
      .all();
    return { lastEvent: lastEvent ?? null, sent: Object.fromEntries(rows) };
  } finally {
    close();
  }
}

/** Holds at any moment: never two of anything. */
function beyondPromise({ cms, mail }: SandboxRecords): string[] {
  const mailed = new Set(mail.mailings.map((mailing) => mailing.recipientId)).size;
  return [
    ...(cms.objects.length > 1 ? [`the website holds ${cms.objects.length} articles`] : []),
    ...(mail.campaigns.length > 1 ? [`the mail provider holds ${mail.campaigns.length} campaigns`] : []),
    ...(mail.mailings.length > mailed ? [`${mail.mailings.length - mailed} mails went to somebody who had one`] : []),
  ];
}

/** The intent is on disk before the bytes leave: no request arrives that the journal does not know. */
function unknownTo(sent: Known["sent"], { cms, mail }: SandboxRecords): string[] {
  return [
    ...(cms.createCalls > (sent["publish"] ?? 0) ? ["an article was asked for without a record of it"] : []),
    ...(mail.createCalls > (sent["send"] ?? 0) ? ["a campaign was asked for without a record of it"] : []),
  ];
}

/** The end: succeeded, nothing violated, one object each, everybody mailed once. */
function endFaults(report: DemoReport, records: SandboxRecords): string[] {
  const { publish, send, state, stopped, violationsFound } = report;
  return [
    ...(isGood(report) ? [] : [`ended in ${state}: ${stopped ?? report.blockedReason ?? "for no reason"}`]),
    ...violationsFound,
    ...beyondPromise(records),
    ...(publish.remoteObjects === 1 ? [] : [`the website holds ${publish.remoteObjects} articles of this edition`]),
    ...(send.remoteObjects === 1 ? [] : [`the mail provider holds ${send.remoteObjects} campaigns of this edition`]),
    ...(records.mail.mailings.length === send.accepted
      ? []
      : [`${records.mail.mailings.length} mails for ${send.accepted} accounted recipients`]),
  ];
}
