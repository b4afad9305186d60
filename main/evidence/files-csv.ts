import { csv } from "./csv";
import type { ListedFile } from "./withheld";

/** The columns. */
export const FILES_HEAD: readonly string[] = [
  "task_id",
  "kind",
  "sha256",
  "bytes",
  "media_type",
  "title",
  "url",
  "licence",
  "path",
  "left_out_because",
];

/** The list of files as a table: what is in the bundle and what was left out, with the reason. */
export function filesCsv(files: readonly ListedFile[]): string {
  const rows = files.map(({ taskId, kind, hash, bytes, mediaType, title, url, licence, place }) => {
    const where = "path" in place ? [place.path, ""] : ["", place.withheld];
    return [taskId, kind, hash, bytes, mediaType, title, url, licence, ...where];
  });
  return csv([FILES_HEAD, ...rows]);
}
