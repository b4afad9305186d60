import type { Command } from "../domain/commands";
import type {
  DraftEdit,
  EditSeen,
  FactFault,
  FieldFault,
  OpenDraft,
  PickedQuote,
  QuoteSpan,
} from "../domain/draft-edit";
import type { TaskView } from "../domain/view";
import type { Made } from "./made";

/** What a pipeline knows of a draft that an editor works on. Its words and quotes are the pipeline's to read and to judge. */
export interface DraftDesk {
  /** The present draft with the working copy of it; null while there is nothing that could be edited. */
  open(view: TaskView): OpenDraft | null;
  /** The words at a span, or why they cannot be quoted. */
  pick(view: TaskView, span: QuoteSpan): PickedQuote;
  /** Freezes the edit as a working copy, which is no draft yet. */
  keep(view: TaskView, seen: EditSeen, edit: DraftEdit): Extract<Command, { type: "keep_working_draft" }>;
  /** Freezes the edit as the next draft. */
  use(view: TaskView, seen: EditSeen, edit: DraftEdit): Made;
  /** The same without freezing anything, and what would change; null where the edit is not whole. */
  weigh(
    view: TaskView,
    seen: EditSeen,
    edit: DraftEdit,
  ): {
    made: Made;
    facts: readonly FactFault[];
    fields: readonly FieldFault[];
    changesPage: boolean | null;
    changesBody: boolean | null;
  };
  /** The event that an edit would be, to ask whether one may be made now. */
  transition(view: TaskView): Made;
}
