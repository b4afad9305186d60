/** Every point is before or after a commit or a call. Which of them there are depends on what an edition meets. */
export const isPointName = (name: string): boolean => /^(before|after)-(commit|call):[A-Za-z0-9_.:-]+$/.test(name);

/** What is said of a name that no edition passes, after the option that it was given with. */
export const unknownPoint = (name: string): string =>
  `takes points that an edition passes, not ${name}; npm run -s demo -- --crash-at list names them all`;

/** @returns the first of the names that is no point of this edition, or null */
export const firstUnknown = (names: readonly string[], points: readonly string[]): string | null =>
  names.find((name) => !points.includes(name)) ?? null;
