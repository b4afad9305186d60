import { wordFor, wordOrText } from "../../words";

const BLOCKED = "blocked_";
const UNDO = "compensation_failed_";
const RETRIES = "retry_rate_";
const DRILLS = ["drill_failed", "drill_overdue"];

/** What happened, in words. */
export function alertTitle(code: string): string {
  if (code.startsWith(UNDO))
    return wordFor("alerts.code", "compensation_failed", {
      code: wordOrText("compensation.code", code.slice(UNDO.length)),
    });
  if (code.startsWith(RETRIES)) return wordFor("alerts.code", "retry_rate", { dependency: code.slice(RETRIES.length) });
  const drill = DRILLS.find((one) => code.startsWith(`${one}_`));
  if (drill !== undefined)
    return wordFor("alerts.code", drill, { drill: wordOrText("drills.duty.name", code.slice(drill.length + 1)) });
  if (code.startsWith(BLOCKED) && code !== "blocked_expired")
    return wordFor("alerts.code", "blocked", { reason: wordFor("blockedReason", code.slice(BLOCKED.length)) });
  return wordFor("alerts.code", code);
}

/** What is to be done: a block by its reason, everything else by its rule. */
export function alertTodo({ code, todo }: { code: string; todo: string }): string {
  if (code.startsWith(BLOCKED) && code !== "blocked_expired") return wordFor("blockedNext", code.slice(BLOCKED.length));
  return wordFor("alerts.todo", todo);
}
