/**
 * What one step of an undo is (domain 9): an outside call that names a target state, a look that proves it, or what only a
 * person can do. Steps of an entry follow one another; the first that fails stops its entry, and no other.
 */
export type CompensationStepKind = "call" | "proof" | "person";

export interface CompensationStep {
  /** Unique in its entry; a call's name is the action in its operation's key. */
  name: string;
  kind: CompensationStepKind;
  /** Of a person's step: only after every other entry came to its end. Nobody is told before the proof is there (domain 9). */
  waitsForOthers?: boolean;
}
