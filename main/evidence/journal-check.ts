/** Between two findings in one line of `bag-info.txt`; no finding has it. */
const BETWEEN = " ¦ ";
const IN_ORDER = "in order";
const NOT_IN_ORDER = "NOT in order: ";

/** A finding as one line of text. */
export const findingLine = (finding: string): string => finding.replace(/[\p{Cc}¦]+/gu, " ").trim();

/** As `bag-info.txt` says what a check of the workspace found. */
export const journalCheckWord = (faults: readonly string[]): string =>
  faults.length === 0 ? IN_ORDER : NOT_IN_ORDER + faults.map(findingLine).join(BETWEEN);

/** What `journalCheckWord` says, read back. */
export const readJournalCheck = (word: string): string[] =>
  word.startsWith(NOT_IN_ORDER) ? word.slice(NOT_IN_ORDER.length).split(BETWEEN) : [];
