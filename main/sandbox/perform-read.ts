import type { Context } from "./context";
import { type Answer, type Exchange, sendAnswer, sendHalf } from "./exchange";
import type { FaultRule, FaultTarget } from "./faults";
import { dropLine, refusal, withNotice } from "./perform-write";

/** How a kind of read shows the faults that only it can have. */
export interface ReadDisguises {
  stale?: () => Answer;
  "wrong-body"?: (answer: Answer, rule: FaultRule) => Answer;
  "missing-link"?: (answer: Answer) => Answer;
}

/** Takes one read through the fault rules. There is nothing to commit, so before and after are the same. */
export async function performRead(
  context: Context,
  exchange: Exchange,
  target: FaultTarget,
  read: () => Answer,
  disguises: ReadDisguises = {},
): Promise<void> {
  const rule = context.store.takeFault(target, exchange.at);
  if (rule === null) return sendAnswer(exchange, read());
  switch (rule.fault) {
    case "drop-before-commit":
    case "drop-after-commit":
      return dropLine(exchange);
    case "hang-before-commit":
    case "hang-after-commit":
      return context.withheld.hold(exchange, target.on);
    case "cut-short":
      return sendHalf(exchange, read());
    case "delay":
      if (await context.pause.wait(rule.params.ms ?? 0)) sendAnswer(exchange, read());
      return;
    case "unparsable":
      return sendAnswer(exchange, withNotice(read()));
    case "stale":
      return sendAnswer(exchange, disguises.stale?.() ?? read());
    case "wrong-body":
      return sendAnswer(exchange, disguises["wrong-body"]?.(read(), rule) ?? read());
    case "missing-link":
      return sendAnswer(exchange, disguises["missing-link"]?.(read()) ?? read());
    default:
      return sendAnswer(exchange, refusal(rule));
  }
}

/** An object whose content is not what was sent: every hash of content in the answer is another one. */
export function withOtherHashes(answer: Answer): Answer {
  const other = (key: string, value: unknown): unknown =>
    (key === "contentHash" || key === "bodyHash") && typeof value === "string" ? "f".repeat(64) : value;
  return { ...answer, body: JSON.parse(JSON.stringify(answer.body, other)) };
}
