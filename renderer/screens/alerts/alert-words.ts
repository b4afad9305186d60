import { wordFor, wordOrText } from "../../words";

const BLOCKED = "blocked_";
const UNDO = "compensation_failed_";
const RETRIES = "retry_rate_";

/** What happened, in words. */
export function alertTitle(code: string): string {
  if (code.startsWith(UNDO))
    return wordFor("alerts.code", "compensation_failed", {
      code: wordOrText("compensation.code", code.slice(UNDO.length)),
    });
  if (code.startsWith(RETRIES)) return wordFor("alerts.code", "retry_rate", { dependency: code.slice(RETRIES.length) });
  if (code.startsWith(BLOCKED) && code !== "blocked_expired")
    return wordFor("alerts.code", "blocked", { reason: wordFor("blockedReason", code.slice(BLOCKED.length)) });
  return wordFor("alerts.code", code);
}

/** What is to be done: a block by its reason, everything else by its rule. */
export function alertTodo({ code, todo }: { code: string; todo: string }): string {
  if (code.startsWith(BLOCKED) && code !== "blocked_expired") return wordFor("blockedNext", code.slice(BLOCKED.length));
  return wordFor("alerts.todo", todo);
}
