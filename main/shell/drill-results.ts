import { z } from "zod";
import { DrillResult } from "../../preload/contract";
import type { DrillRecord } from "../compose/drill-runner";
import { readSmall, writeWhole } from "./small-file";

/** Every scenario once, and some of them again. */
const KEPT = 80;

export interface DrillResultsFile {
  /** Newest first. */
  read(): readonly DrillRecord[];
  /** Written whole. A disk that refuses loses the result at the next start, nothing more. */
  add(result: DrillRecord): void;
}

/** What the last drills came to, in a small file of its own: no journal depends on it. */
export function openDrillResults(file: string, report: (code: string) => void): DrillResultsFile {
  const first = readSmall<DrillRecord[]>(file, z.array(DrillResult), []);
  if (first.problem !== null) report(`drill_results_${first.problem}`);
  // What could not be read and not be set aside is somebody's file still: it is not written over.
  const mayWrite = first.problem !== "unreadable";
  let current = first.value;
  return {
    read: () => current,
    add: (result) => {
      current = [result, ...current].slice(0, KEPT);
      try {
        if (mayWrite) writeWhole(file, `${JSON.stringify(current)}\n`);
      } catch {
        report("drill_results_not_written");
      }
    },
  };
}
