import { z } from "zod";
import { readSmall, writeWhole } from "./small-file";

export interface RecentList<T> {
  /** Newest first. */
  read(): readonly T[];
  /** Written whole. A disk that refuses loses the entry at the next start, nothing more. */
  add(entry: T): void;
  /** Puts an entry in the place of the one that is it; written like an added one. */
  replace(isIt: (entry: T) => boolean, entry: T): void;
}

/**
 * The last entries of something, in a small file of its own: no journal depends on it.
 * @param what begins the codes that are reported
 */
export function openRecentList<T>(
  file: string,
  { entry, kept, what }: { entry: z.ZodType<T>; kept: number; what: string },
  report: (code: string) => void,
): RecentList<T> {
  const first = readSmall<T[]>(file, z.array(entry), []);
  if (first.problem !== null) report(`${what}_${first.problem}`);
  // What could not be read and not be set aside is somebody's file still: it is not written over.
  const mayWrite = first.problem !== "unreadable";
  let current = first.value;
  const keep = (entries: T[]) => {
    current = entries;
    try {
      if (mayWrite) writeWhole(file, `${JSON.stringify(current)}\n`);
    } catch {
      report(`${what}_not_written`);
    }
  };
  return {
    read: () => current,
    add: (added) => keep([added, ...current].slice(0, kept)),
    replace: (isIt, entry) => keep(current.map((one) => (isIt(one) ? entry : one))),
  };
}
