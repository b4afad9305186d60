import type { ScheduleFires } from "../../../db/schedule-fires";
import type { Output } from "../../../preload/contract";
import type { PipelineDefinition } from "../../domain/definition";
import type { Instant } from "../../domain/ids";
import { nextClockChange, type Schedule } from "../../domain/schedule";

type Settings = Output<"settings.get">;

const SHOWN = 5;
const YEAR_DAYS = 366;

/** What the settings are read from. Nothing of it can write. */
export interface SettingsPorts {
  clock(): Settings["clock"];
  customers: { recipients(): readonly { recipientId: string; group: string }[]; importVersion(): number };
  suppressions(): readonly { recipientId: string; reason: string; at: Instant }[];
  schedules: readonly Schedule[];
  /** The next so many, soonest first. */
  nextOccurrences(schedule: Schedule, now: Instant, count: number): Instant[];
  fires: Pick<ScheduleFires, "last" | "paused">;
  definition: PipelineDefinition;
}

/** Who is mailed, when editions begin, and which policies are in force. */
export function settingsView(ports: SettingsPorts): Settings {
  const clock = ports.clock();
  const recipients = ports.customers.recipients();
  const members = new Set(recipients.map(({ recipientId }) => recipientId));
  const { dueLocal, zone, humanWindowMs, approvalTtlMs, observationMs } = ports.definition.deadlines;
  return {
    clock,
    audience: {
      members: members.size,
      importVersion: ports.customers.importVersion(),
      groups: groupsOf(recipients),
    },
    suppressions: ports
      .suppressions()
      .map(({ recipientId, reason, at }) => ({ recipientId, reason, at, isMember: members.has(recipientId) })),
    schedules: ports.schedules.map((schedule) => scheduleView(ports, schedule, clock.now)),
    deadlines: { dueLocal, zone, humanWindowMs, approvalTtlMs, observationMs },
    policies: policiesOf(ports.definition),
  };
}

function groupsOf(recipients: readonly { group: string }[]): Settings["audience"]["groups"] {
  const counts = new Map<string, number>();
  for (const { group } of recipients) counts.set(group, (counts.get(group) ?? 0) + 1);
  return [...counts].map(([group, count]) => ({ group, count })).sort((a, b) => b.count - a.count);
}

function scheduleView(
  { fires, nextOccurrences }: SettingsPorts,
  schedule: Schedule,
  now: Instant,
): Settings["schedules"][number] {
  const { name, pattern, zone } = schedule;
  const change = nextClockChange(now, zone, YEAR_DAYS);
  const [next] = change === null ? [] : nextOccurrences(schedule, change.at - 1, 1);
  return {
    ...{ name, pattern, zone },
    next: nextOccurrences(schedule, now, SHOWN),
    lastFiredAt: fires.last(name)?.firedAt ?? null,
    pausedSince: fires.paused(name)?.since ?? null,
    clockChange: change === null || next === undefined ? null : { ...change, next },
  };
}

const policiesOf = ({ policies }: PipelineDefinition): Settings["policies"] =>
  Object.entries(policies).map(([tool, policy]) => ({
    tool,
    version: policy.version,
    maxCalls: policy.maxCalls,
    callTimeoutMs: policy.callTimeoutMs,
    stepMs: policy.stepMs,
    waitsMs: [...policy.waitsMs],
    longestWaitMs: policy.maxWaitMs,
  }));
