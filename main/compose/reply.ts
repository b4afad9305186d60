import type { ExecuteResult } from "../../db/journal";
import type { Output } from "../../preload/contract";

type CommandReply = Output<"edition.start">;

/** What the journal answered, as the page may see it. */
export function replyOf(result: ExecuteResult, path: string): CommandReply {
  if (result.result === "applied") return { result: "applied", state: result.state, stateVersion: result.stateVersion };
  if (result.result === "unavailable") return { result: "unavailable", code: result.code, path };
  return {
    result: result.result,
    unmet: result.unmet.map((missing) => ({ code: missing.code, values: { ...missing.values } })),
  };
}
