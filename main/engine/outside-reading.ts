import type { NewArtifact } from "../domain/commands";
import type { Difference } from "../domain/difference";
import type { OperationRow } from "../domain/records";
import type { TaskView } from "../domain/view";

/** What one question to the outside came to, besides the objects that adapters show. */
export type OutsideReading =
  | {
      kind: "read";
      differences: readonly Difference[];
      artifacts: readonly NewArtifact[];
      evidenceRefs: readonly string[];
    }
  /** It gave no answer that says anything: asked again. */
  | { kind: "failed"; code: string };

/** A question that only the pipeline can put: what readers get, what became of the recipients. */
export interface OutsideQuestion {
  operation: OperationRow;
  /** Where it goes: what a breaker is kept for. */
  target: string;
  read(): Promise<OutsideReading>;
}

/** How a pipeline's effects are seen besides their objects. It only reads; nothing is written outside. */
export type OutsideQuestions = (view: TaskView) => readonly OutsideQuestion[];
