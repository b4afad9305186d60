import type { EventRow } from "../domain/records";
import type { ChainedEvent } from "./chain-walk";

/** What the chain says of the event that has this body: of several with the same, the first. */
export interface BodyOwner {
  seq: number;
  actor: string;
}

/** Events that belong to no task and are few, and those that open, end or are about incidents. */
const isKeptAlways = (type: unknown): boolean =>
  type === "EpochRaised" || type === "EpochReconciled" || /^(Incident|Runbook)/.test(String(type));

/** Remembers of the chain what the records are held against: of other tasks' events no more than a hash and a number. */
export class ChainNotes {
  readonly bodies = new Map<string, BodyOwner>();
  /** Bodies of events that registered a signing key. */
  readonly registrations = new Set<string>();
  private readonly ofTasks = new Map<string, ChainedEvent[]>();
  private readonly bySeq = new Map<number, ChainedEvent>();

  /**
   * @param tasks whose events are remembered
   * @param seqs numbers of events that are remembered, whosever they are
   */
  constructor(
    tasks: Iterable<string>,
    private readonly seqs: ReadonlySet<number>,
  ) {
    for (const id of tasks) this.ofTasks.set(id, []);
  }

  take(event: ChainedEvent): void {
    const { seq, header } = event;
    const { payloadHash, type, actor, taskId } = header;
    if (typeof payloadHash === "string") {
      if (!this.bodies.has(payloadHash)) this.bodies.set(payloadHash, { seq, actor: String(actor) });
      if (type === "SignerRegistered") this.registrations.add(payloadHash);
    }
    if (typeof taskId === "string") this.ofTasks.get(taskId)?.push(event);
    if (this.seqs.has(seq) || isKeptAlways(type)) this.bySeq.set(seq, event);
  }

  eventsOf(taskId: string): readonly ChainedEvent[] {
    return this.ofTasks.get(taskId) ?? [];
  }

  event(seq: number): ChainedEvent | null {
    return this.bySeq.get(seq) ?? null;
  }

  /** Those about incidents and the epoch, in order. */
  aboutIncidents(): ChainedEvent[] {
    return [...this.bySeq.values()].filter(({ header }) => isKeptAlways(header.type));
  }
}

/** The event as the domain knows it. @param payload its contents; null: withheld */
export const eventRow = ({ line, hash }: ChainedEvent, payload: string | null): EventRow =>
  ({ ...(JSON.parse(line) as object), payload, header: line, hash }) as EventRow;
