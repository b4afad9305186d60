/** The words a machine-made draft needs around the quoted ones. Deterministic: they depend on the edition alone. */
export interface DraftWords {
  title: string;
  intro: string;
  email: { subject: string; intro: string };
}

/**
 * @param input.edition ISO week such as `2026-W30`, or any other name, which is then printed as it is.
 * @param input.facts how many facts there are, from how many sources. @param input.lead headline of the first.
 */
export function wordsFor(input: {
  edition: string;
  language: string;
  facts: number;
  sources: number;
  lead: string;
}): DraftWords {
  return /^zh(-|$)/i.test(input.language) ? inChinese(input) : inEnglish(input);
}

type Input = Parameters<typeof wordsFor>[0];

function inEnglish({ edition, facts, sources, lead }: Input): DraftWords {
  const week = weekOf(edition);
  const title = week === null ? `Weekly briefing ${edition}` : `Weekly briefing, week ${week.week} of ${week.year}`;
  const changes = facts === 1 ? "One change" : `${countInEnglish(facts)} changes`;
  const from = sources === 1 ? "one source" : `${countInEnglish(sources).toLowerCase()} sources`;
  return {
    title,
    intro: `${changes} this week, from ${from}. Each is given with the exact words it rests on and a link to where they stand.`,
    email: { subject: cutSubject(`${title}: ${lead}`), intro: `${changes} this week. The first: ${lead}` },
  };
}

function inChinese({ edition, facts, sources, lead }: Input): DraftWords {
  const week = weekOf(edition);
  const title = week === null ? `每周简报 ${edition}` : `每周简报 ${week.year} 年第 ${week.week} 周`;
  return {
    title,
    intro: `本期收录 ${facts} 条变化，来自 ${sources} 个来源。每条都附有所依据的原文引语和出处链接。`,
    email: { subject: cutSubject(`${title}：${lead}`), intro: `本期共 ${facts} 条变化。首条：${lead}` },
  };
}

function weekOf(edition: string): { year: number; week: number } | null {
  const found = /^(\d{4})-W(\d{2})$/.exec(edition);
  return found === null ? null : { year: Number(found[1]), week: Number(found[2]) };
}

const NUMBERS = [
  "No",
  "One",
  "Two",
  "Three",
  "Four",
  "Five",
  "Six",
  "Seven",
  "Eight",
  "Nine",
  "Ten",
  "Eleven",
  "Twelve",
];

function countInEnglish(count: number): string {
  return NUMBERS[count] ?? String(count);
}

/** Longer subjects are cut by mail programs in the middle of a word, or of a character. */
const SUBJECT_MAX = 120;

function cutSubject(subject: string): string {
  const chars = [...subject];
  return chars.length <= SUBJECT_MAX
    ? subject
    : `${chars
        .slice(0, SUBJECT_MAX - 1)
        .join("")
        .trimEnd()}…`;
}
