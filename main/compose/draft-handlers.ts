import type { ExecuteResult } from "../../db/journal";
import type { Output } from "../../preload/contract";
import { type Desk, executeFor } from "../commands/desk";
import { keepDraft } from "../commands/keep-draft";
import { useDraft } from "../commands/use-draft";
import type { TaskId } from "../domain/ids";
import type { Handlers } from "./channel-handlers";
import type { Views } from "./views";

type DraftChannel = Extract<keyof Handlers, `draft.${string}`>;

/** The draft editor's questions, its working copy, and the one command that brings an edit in. */
export function draftHandlers(
  views: Views,
  desk: Desk,
  reply: (result: ExecuteResult) => Output<"edition.start">,
): Pick<Handlers, DraftChannel> {
  return {
    "draft.get": (input) => views.draft(input),
    "draft.pick": (input) => views.pickQuote(input),
    "draft.weigh": (input) => views.weighDraft(input),
    "draft.keep": (input) => {
      const { hash, answer } = keepDraft(desk, { ...input, taskId: input.taskId as TaskId });
      if (answer.result === "unavailable") return { result: "unavailable", code: answer.code };
      if (answer.result !== "applied" || hash === null)
        return { result: "refused", unmet: "unmet" in answer ? [...answer.unmet] : [] };
      return { result: "kept", hash, at: desk.clock.now() };
    },
    "draft.drop": ({ taskId, workingHash: hash }) =>
      reply(executeFor(desk, { type: "drop_working_draft", taskId: taskId as TaskId, hash })),
    "draft.use": (input) => reply(useDraft(desk, { ...input, taskId: input.taskId as TaskId })),
  };
}
