const PREFIX = "imprimatur:";

/** Names a moment of the start. Read with `performance.getEntriesByType("mark")`; what is not measured gets slow. */
export const mark = (name: string): void => void performance.mark(`${PREFIX}${name}`);

/** The moments so far, in ms since the process began. */
export const marks = (): Record<string, number> =>
  Object.fromEntries(
    performance
      .getEntriesByType("mark")
      .filter((entry) => entry.name.startsWith(PREFIX))
      .map((entry) => [entry.name.slice(PREFIX.length), Math.round(entry.startTime)]),
  );
