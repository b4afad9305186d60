import i18next from "i18next";
import type { DrillChoice, DrillQuestion } from "../../stores/drills";
import { hasWord, wordFor } from "../../words";
import { unmetWord, worded } from "./step-text";

/** A choice in words, whichever question it answers. */
export function choiceWords(what: DrillQuestion["what"], { name, about }: DrillChoice): string {
  if (what === "classify") return wordFor("incident.kind", name);
  return wordFor("drills.way", name, {
    about: about === null ? "" : worded(["state", "compensation.action", "scope"], about),
  });
}

/** How a choice is named in the answer to a question. */
export const choiceId = ({ name, about }: DrillChoice): string => (about === null ? name : `${name} ${about}`);

/** What the edition answered: a word, and why not where it refused. */
export function answerWords(answer: string): string {
  const [what = "", why = ""] = answer.split(": ");
  const missing = why
    .split(" ")
    .filter((code) => code !== "")
    .map((code) =>
      hasWord("incident.evidence", code)
        ? i18next.t("drills.led.missing", { what: wordFor("incident.evidence", code) })
        : unmetWord(code),
    );
  return [wordFor("drills.answer", what), ...missing].join(" · ");
}
