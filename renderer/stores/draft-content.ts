import type { Input, Output } from "../../preload/contract";

export type DraftView = NonNullable<Output<"draft.get">>;
export type DraftContent = DraftView["draft"];
export type DraftFact = DraftContent["facts"][number];
type DraftEdit = Input<"draft.keep">["edit"];

/** What is sent of a draft: the words, and where the quotes stand. The quotes themselves are read at the other end. */
export function editOf({ title, intro, email, facts }: DraftContent): DraftEdit {
  return {
    ...{ title, intro, email },
    facts: facts.map(({ id, headline, statement, span }) => ({ id, headline, statement, span })),
  };
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Whether two drafts say the same, quotes by their places. */
export const isSameDraft = (one: DraftContent, other: DraftContent): boolean => isSame(editOf(one), editOf(other));

/** The parts that differ; a fact that only moved counts, because the order is content, and one that was left out as well. */
export function changedParts(before: DraftContent, after: DraftContent): string[] {
  const [was, is] = [editOf(before), editOf(after)];
  const words = (["title", "intro", "email"] as const).filter((name) => !isSame(was[name], is[name]));
  const facts = is.facts.filter(
    (fact, at) =>
      was.facts[at]?.id !== fact.id ||
      !isSame(
        was.facts.find(({ id }) => id === fact.id),
        fact,
      ),
  );
  const removed = was.facts.filter(({ id }) => !is.facts.some((fact) => fact.id === id));
  return [...words, ...[...facts, ...removed].map(({ id }) => `fact:${id}`)];
}

/** The facts with one moved by one place; the same where there is no such place. */
export function moveFact(facts: DraftContent["facts"], id: string, step: 1 | -1): DraftContent["facts"] {
  const index = facts.findIndex((fact) => fact.id === id);
  const [moved, other] = [facts[index], facts[index + step]];
  if (!moved || !other) return facts;
  return facts.map((fact, at) => (at === index ? other : at === index + step ? moved : fact));
}

/** A fact to be written, under a number that no fact of this draft has or had. */
export function newFact(known: readonly string[]): DraftFact {
  const highest = Math.max(0, ...known.map((id) => Number(id.slice(1))));
  return {
    ...{ id: `F${highest + 1}`, headline: "", statement: "", span: null },
    ...{ quote: "", url: "", sourceId: "", sourceTitle: "", fault: "not_picked" },
  };
}
