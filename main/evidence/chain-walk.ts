import { GENESIS, sha256 } from "../domain/hashing";

/** What the chain's lines say of one task. */
export interface TaskOnChain {
  taskSeq: number;
  head: string;
  /** The state that its last event with one left it in. */
  state: string | null;
}

/** The fields of a stored header that the chain is judged by. */
interface Header {
  seq: unknown;
  prevHash: unknown;
  payloadHash: unknown;
  type: unknown;
  actor: unknown;
  at: unknown;
  taskId: unknown;
  taskSeq: unknown;
  taskPrevHash: unknown;
  toState: unknown;
}

/** An event as its line in the chain tells it. */
export interface ChainedEvent {
  /** Which line it is, from 1. */
  seq: number;
  line: string;
  hash: string;
  header: Header;
}

/** Faults named; what follows a first one follows from it. */
const NAMED = 3;

/**
 * Walks along the journal's lines, each a header as it was hashed. The hash of a line is the `prevHash` of the next: bytes
 * first, nothing is made anew to be believed. A cut tail shows only against the head that is asked for at the end.
 */
export class ChainWalk {
  events = 0;
  head: string = GENESIS;
  faultCount = 0;
  readonly faults: string[] = [];
  readonly tasks = new Map<string, TaskOnChain>();

  /** @param onEvent is told each event that is one */
  constructor(private readonly onEvent: (event: ChainedEvent) => void) {}

  step(line: string): void {
    this.events += 1;
    const header = parseHeader(line);
    if (header === null) return this.fault("is no event");
    if (header.seq !== this.events) this.fault(`is numbered ${String(header.seq)}`);
    if (header.prevHash !== this.head) this.fault("does not follow from the one before");
    this.head = sha256(line);
    this.onEvent({ seq: this.events, line, hash: this.head, header });
    if (typeof header.taskId === "string") this.stepTask(header.taskId, header);
  }

  private stepTask(taskId: string, header: Header): void {
    const before = this.tasks.get(taskId) ?? { taskSeq: 0, head: GENESIS, state: null };
    if (header.taskSeq !== before.taskSeq + 1 || header.taskPrevHash !== before.head)
      this.fault(`does not follow from the one before of task ${taskId.slice(0, 60)}`);
    const state = typeof header.toState === "string" ? header.toState : before.state;
    this.tasks.set(taskId, { taskSeq: before.taskSeq + 1, head: this.head, state });
  }

  private fault(what: string): void {
    this.faultCount += 1;
    if (this.faults.length < NAMED) this.faults.push(`event ${this.events} ${what}`);
  }
}

function parseHeader(line: string): Header | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Header) : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
