import type { Instant } from "../../main/domain/ids";
import type { TaskRow } from "../../main/domain/records";
import type { Queries } from "./open-queries";
import { type PreviousEdition, previousEdition } from "./previous-edition";

/** The newest proof of the public page as the journal has it. */
export interface PageProofRow {
  at: Instant;
  /** Canonical JSON, or null once withheld. */
  payload: string | null;
}

export interface SendReviewRows {
  proof: PageProofRow | null;
  previous: PreviousEdition | null;
}

const PROOF = "SELECT at, payload FROM event WHERE task_id = ? AND type = 'PageVerified' ORDER BY seq DESC LIMIT 1";

/** What a send review shows beside the task itself. */
export function readSendReview(queries: Queries, task: TaskRow): SendReviewRows {
  return { proof: queries.get<PageProofRow>(PROOF, task.id), previous: previousEdition(queries.sqlite, task) };
}
