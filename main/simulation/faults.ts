import type { Dice } from "./dice";

/** What becomes of one write on its way to a remote and back. */
export type WriteFate =
  | "ok"
  /** Carried out; the answer never comes. */
  | "answer_lost"
  /** Never arrived; nothing comes back. */
  | "request_lost"
  /** Carried out; the line is cut. */
  | "cut"
  | "error_after"
  | "error_before"
  | "unparsable"
  /** Carried out after the client has given up, within the declared horizon. */
  | "later"
  /** Carried out beyond the horizon: outside of the promise, see `Faults.beyondHorizon`. */
  | "too_late"
  /** Carried out twice, and the answer lost: a remote's own fault, of which an incident must come. */
  | "twice"
  /** Carried out, and answered like a second request with the same key. */
  | "conflict"
  | "not_sent"
  | "busy"
  | "auth";

/** What becomes of one question. */
export type ReadFate = "ok" | "timeout" | "error" | "busy" | "unparsable";

const WRITE_FATES: readonly (readonly [WriteFate, number])[] = [
  ["answer_lost", 8],
  ["request_lost", 5],
  ["cut", 5],
  ["error_after", 4],
  ["error_before", 3],
  ["unparsable", 3],
  ["later", 5],
  ["twice", 1],
  ["conflict", 2],
  ["not_sent", 4],
  ["busy", 3],
  ["auth", 2],
];

const READ_FATES: readonly (readonly [ReadFate, number])[] = [
  ["timeout", 3],
  ["error", 4],
  ["busy", 2],
  ["unparsable", 1],
];

/** Fates after which nobody can know whether the write happened: each world has at least one of them. */
const UNKNOWN_FATES: readonly [WriteFate, ...WriteFate[]] = [
  "answer_lost",
  "request_lost",
  "cut",
  "error_after",
  "error_before",
  "unparsable",
  "later",
];

export interface FaultOptions {
  dice: Dice;
  /** How often a write goes wrong; questions and readings go by a third of it. */
  rate: number;
  /** Writes may also be carried out later than the remote's declared horizon. Off: no client can promise anything then. */
  beyondHorizon: boolean;
  /** Only this many faults, then none: how a violation's trace is made short. */
  limit: number;
  note(text: string): void;
}

/** Decides call by call what goes wrong, from the seed. */
export class Faults {
  /** How many have been decided. */
  drawn = 0;
  /** False once an edition's faults are over: from then on every task must come to an end or to a person. */
  isActive = true;
  private mustLoseOne = true;

  constructor(private readonly options: FaultOptions) {}

  write(what: string): WriteFate {
    const { dice, rate, beyondHorizon } = this.options;
    if (this.mustLoseOne && this.isActive) {
      this.mustLoseOne = false;
      return this.draw(what, dice.pick(UNKNOWN_FATES));
    }
    const isHit = dice.chance(rate);
    const fates = beyondHorizon ? [...WRITE_FATES, ["too_late", 6] as const] : WRITE_FATES;
    const fate = dice.weighted<WriteFate>(fates, "ok");
    return isHit ? this.draw(what, fate) : "ok";
  }

  read(what: string): ReadFate {
    const { dice, rate } = this.options;
    const isHit = dice.chance(rate / 3);
    const fate = dice.weighted<ReadFate>(READ_FATES, "ok");
    return isHit ? this.draw(what, fate) : "ok";
  }

  /** One of the world's other misfortunes: a stale cache, a report with strangers, a dead link. */
  happens(what: string, p: number): boolean {
    const isHit = this.options.dice.chance(p);
    return isHit && this.draw<boolean | "ok">(what, true) === true;
  }

  /** Demands that the next write's outcome becomes unknown: for a world that had none yet. */
  loseNext(): void {
    this.mustLoseOne = true;
  }

  private draw<T extends WriteFate | ReadFate | boolean>(what: string, fate: T): T | "ok" {
    if (!this.isActive || this.drawn >= this.options.limit) return "ok";
    this.drawn += 1;
    this.options.note(`fault ${this.drawn}: ${what} ${String(fate)}`);
    return fate;
  }
}
