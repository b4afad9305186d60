import type { Sha256, TaskId } from "./ids";
import type { ArtifactRow } from "./records";

/** About an unfinished edit: it is kept beside the frozen draft, is never it, and moves no state. */
export type DraftCommand =
  | {
      type: "keep_working_draft";
      taskId: TaskId;
      artifact: Omit<ArtifactRow, "taskId" | "at">;
      /** The frozen draft that it was begun on. */
      base: Sha256 | null;
      /** The working copy that it goes on from; another one there by now is somebody else's, and stays. */
      before: string | null;
    }
  | { type: "drop_working_draft"; taskId: TaskId; hash: string };
