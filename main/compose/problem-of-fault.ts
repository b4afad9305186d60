import { BlobDamaged } from "../../db/blobs";
import type { Problem } from "../../db/open";
import { problemOf } from "../../db/problem";
import { Bug } from "../domain/ids";

/** As much of a text that nobody wrote for people as a page can show. */
const LONGEST_DETAIL = 500;

/**
 * What stopped an open workspace, as the page says it that says what keeps one closed: a disk that filled up is no bug.
 * @param path the journal's file, unless the fault names another
 */
export function problemOfFault(error: unknown, path: string): Problem {
  if (error instanceof Bug) return { code: "unknown", path, detail: error.message.slice(0, LONGEST_DETAIL) };
  const problem = problemOf(error, error instanceof BlobDamaged ? error.path : path);
  return { ...problem, detail: problem.detail.slice(0, LONGEST_DETAIL) };
}
