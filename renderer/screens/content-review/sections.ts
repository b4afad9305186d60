import type { ContentReviewView } from "../../stores/content-review";

export type SectionKind = "title" | "intro" | "fact" | "links" | "email";
export interface Section {
  /** What is recorded with the approval: `title`, `intro`, `fact:<id>`, `links`, `email`. */
  id: string;
  kind: SectionKind;
  /** The number of a fact as shown; 0 for the rest. */
  number: number;
  /** Everything that was read when the section was ticked; another text is another section. */
  text: string;
}

/** The parts of a package that are read and ticked one by one. */
export function sectionsOf(review: ContentReviewView): Section[] {
  return [
    { id: "title", kind: "title", number: 0, text: review.title },
    { id: "intro", kind: "intro", number: 0, text: review.intro },
    ...review.facts.map((fact, index) => ({
      id: `fact:${fact.id}`,
      kind: "fact" as const,
      number: index + 1,
      text: JSON.stringify([fact.headline, fact.statement, fact.quote, fact.url, fact.snapshotHash]),
    })),
    { id: "links", kind: "links", number: 0, text: JSON.stringify(review.links) },
    { id: "email", kind: "email", number: 0, text: JSON.stringify(review.email) },
  ];
}

/** The ids of the sections whose tick still holds. */
export function readSections(sections: readonly Section[], reads: Readonly<Record<string, string>>): string[] {
  return sections.filter((section) => reads[section.id] === section.text).map((section) => section.id);
}

/**
 * What is sent back for a ticked warning: the name the journal gave it. Where none is among its values, its code, and its
 * values where a code can come more than once.
 */
export function warningKey(warning: ContentReviewView["warnings"][number]): string {
  const { code, values } = warning;
  const name = values["id"] ?? values["warning"];
  if (name !== undefined) return String(name);
  return [
    code,
    ...Object.keys(values)
      .sort()
      .map((one) => String(values[one])),
  ].join(":");
}
