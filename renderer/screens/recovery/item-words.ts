import type { RecoveryItemView, RecoveryPatternView } from "../../stores/recovery";
import { actorWord, hasWord, operationName, wordFor, wordOrText } from "../../words";

/** What an item is about, in words: the call, the customer's outcome, the reason, the undo. */
export function aboutOf(item: RecoveryItemView): string {
  const [topic = "", ...rest] = item.subject.split(":");
  const more = rest.join(":").trim();
  switch (item.kind) {
    case "dead_letter":
    case "unknown_outcome":
      return item.operation === null
        ? item.subject
        : `${operationName(item.operation.kind, item.operation.phase)} · ${item.operation.adapter}`;
    case "customer_care":
      return `${wordFor("recipient", topic)} · ${more}`;
    case "compensation_failed":
    case "compensation_manual":
      return [wordOrText("compensation.action", topic), more === "" ? "" : wordOrText("compensation.code", more)]
        .filter((part) => part !== "")
        .join(" · ");
    case "drill_failed":
      return troubleWords(topic, rest[0] ?? "");
    default:
      return wordOrText("blockedReason", item.subject);
  }
}

/** A drill and what is wrong with it: a scenario by its number, a duty by its name. */
function troubleWords(topic: string, why: string): string {
  const name = hasWord("drills.duty.name", topic) ? wordFor("drills.duty.name", topic) : topic;
  return hasWord("drills.trouble", why) ? `${name} · ${wordFor("drills.trouble", why)}` : name;
}

/** Families that may have the word for what recurs; a service and its phase have none and are shown as they are. */
const TOPICS = ["blockedReason", "recipient", "compensation.action"] as const;

/** What recurs, in words: the kind, the class of the error, what it happened to, and the code. */
export function causeWords({
  kind,
  errorClass,
  action,
  code,
}: Pick<RecoveryPatternView, "kind" | "errorClass" | "action" | "code">): string {
  const family = TOPICS.find((one) => action !== null && hasWord(one, action));
  const topic = action === null || family === undefined ? action : wordFor(family, action);
  return [
    wordFor("recovery.kind", kind),
    errorClass === null ? null : wordFor("errorClass", errorClass),
    topic,
    code === null ? null : wordOrText("compensation.code", code),
  ]
    .filter((part) => part !== null)
    .join(" · ");
}

/** Owner and backup owner: an item is never nobody's. */
export const ownersOf = ({ owner, backupOwner }: RecoveryItemView): [string, string] => [
  ownerWord(owner),
  ownerWord(backupOwner),
];

/** A role has a word of its own; a person is named as wherever they act. */
const ownerWord = (owner: string): string => (hasWord("owner", owner) ? wordFor("owner", owner) : actorWord(owner));
