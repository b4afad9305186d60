import type { z } from "zod";
import type { Applied } from "../../db/journal";
import type { DrillStep } from "../../preload/contract";
import type { Workspace } from "../compose/workspace";
import type { Instant } from "../domain/ids";
import type { SandboxRecord } from "../sandbox/state";

export type Step = z.infer<typeof DrillStep>;
type ProgramStep = Extract<Step, { kind: "program" }>;

interface AppendedRow {
  seq: number;
  at: Instant;
  type: string;
  actor: string;
  toState: string | null;
  payload: string | null;
  kind: string | null;
  phase: string | null;
}

const APPENDED = `
  SELECT e.seq, e.at, e.type, e.actor, e.to_state AS toState, e.payload, o.kind, o.phase
  FROM event e LEFT JOIN operation o ON o.id = e.operation_id WHERE e.seq BETWEEN ? AND ? ORDER BY e.seq`;

/** Turns what happens on the stage into steps for whoever watches. It only listens: a watched play is the same play. */
export class Watch {
  private readonly faults = new Map<number, { on: string; fault: string }>();

  /** `tell` may not throw. */
  constructor(
    private readonly tell: (step: Step) => void,
    private readonly now: () => Instant,
  ) {}

  /** The events of one commit, read back from the journal. */
  committed({ reader }: Workspace, { events }: Applied): void {
    const [first, last] = [events[0]?.seq, events.at(-1)?.seq];
    if (first === undefined || last === undefined) return;
    for (const row of reader.prepare<[number, number], AppendedRow>(APPENDED).all(first, last))
      this.tell({
        kind: "event",
        seq: row.seq,
        at: row.at,
        type: row.type,
        operation: row.kind === null || row.phase === null ? null : { kind: row.kind, phase: row.phase },
        toState: row.toState,
        blockedReason: blockedReasonOf(row.payload),
        actor: row.actor,
      });
  }

  /** What the remotes wrote into their own records. */
  recorded(record: SandboxRecord): void {
    const at = this.now();
    switch (record.type) {
      case "call":
        return this.tell({ kind: "call", at, call: record.counter });
      case "source-read":
        return this.tell({ kind: "call", at, call: "source.read" });
      case "fault-added":
        this.faults.set(record.rule.id, record.rule);
        return;
      case "fault-fired": {
        const { on = "", fault = "" } = this.faults.get(record.id) ?? {};
        return this.tell({ kind: "fault", at, on, fault });
      }
      case "post-created":
        return this.object("website", record.post.id, record.post.versions.at(-1)?.status ?? "draft");
      case "post-changed":
        return this.object("website", record.id, record.version.status);
      case "campaign-created":
        return this.object("mail", record.campaign.id, "created");
      case "campaign-triggered":
        return this.object("mail", record.id, "sent");
      case "campaign-cancelled":
        return this.object("mail", record.id, "cancelled");
      default:
        return;
    }
  }

  person(asked: string, answer: string): void {
    this.tell({ kind: "person", at: this.now(), asked: asked.slice(0, 200), answer: answer.slice(0, 200) });
  }

  program(what: ProgramStep["what"], name: string, detail = ""): void {
    this.tell({ kind: "program", at: this.now(), what, name, detail });
  }

  private object(holder: "website" | "mail", id: number, status: string): void {
    this.tell({ kind: "object", at: this.now(), holder, id: String(id), status });
  }
}

function blockedReasonOf(payload: string | null): string | null {
  return (JSON.parse(payload ?? "{}") as { blockedReason?: string }).blockedReason ?? null;
}
