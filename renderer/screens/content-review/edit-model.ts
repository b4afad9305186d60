import type { ContentEdit, ContentReviewView } from "../../stores/content-review";

/** The editable part of a package. */
export function editOf(review: ContentReviewView): ContentEdit {
  return {
    title: review.title,
    intro: review.intro,
    facts: review.facts.map(({ id, headline, statement }) => ({ id, headline, statement })),
  };
}

/** The ids of the sections that differ; a fact that only moved counts, because the order is content. */
export function changedSections(before: ContentEdit, after: ContentEdit): string[] {
  const changed: string[] = [];
  if (before.title !== after.title) changed.push("title");
  if (before.intro !== after.intro) changed.push("intro");
  after.facts.forEach((fact, index) => {
    const old = before.facts.find((one) => one.id === fact.id);
    const moved = before.facts[index]?.id !== fact.id;
    if (moved || old?.headline !== fact.headline || old.statement !== fact.statement) changed.push(`fact:${fact.id}`);
  });
  return changed;
}

/** The facts with one moved by one place; unchanged where there is no such place. */
export function moveFact(facts: ContentEdit["facts"], index: number, step: 1 | -1): ContentEdit["facts"] {
  const target = index + step;
  const moved = facts[index];
  const other = facts[target];
  if (!moved || !other) return facts;
  return facts.map((fact, at) => (at === index ? other : at === target ? moved : fact));
}
