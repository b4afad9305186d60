import { checkArtifactFacts } from "../domain/invariants/artifact-facts";
import { tell } from "../domain/invariants/snapshot";
import type { ArtifactRow } from "../domain/records";
import { BAG } from "./bag-layout";
import { readCsv } from "./csv-rows";
import { FILES_HEAD } from "./files-csv";
import type { HeldTask } from "./held-task";
import type { PayloadReader } from "./payload-reader";
import type { VerifyRun } from "./verify-run";

/** A line of the list of files, as far as it is judged. */
export interface ListedLine {
  taskId: string;
  kind: string;
  hash: string;
  bytes: number | null;
  title: string;
  licence: string;
  path: string;
  withheld: string;
}

/** Folders of which every file is listed: what is frozen, what was seen, and records that are listed like it. */
const LISTED_FOLDERS = [BAG.snapshots, BAG.artifacts, BAG.incidents, BAG.recovery];
/** Receipts and requests lie beside records: theirs are named by a hash, or by what they are. */
const isListed = (name: string): boolean =>
  LISTED_FOLDERS.some((folder) => name.startsWith(folder)) ||
  (name.startsWith(BAG.receipts) && !name.startsWith(`${BAG.receipts}recipients-`)) ||
  name.endsWith(".request");

const RECORD_KINDS = ["incident", "recovery-item"];

/** The list of files: held against the files that are there, and against what the events of each task say was frozen. */
export class FileList {
  private readonly lines: ListedLine[] | null;

  constructor(text: string) {
    const [head, ...rows] = readCsv(text) ?? [];
    this.lines = head?.join() === FILES_HEAD.join() ? rows.map(lineOf) : null;
  }

  /** Frozen files and requests of a task, in the list's order. */
  linesOf(id: string): readonly ListedLine[] {
    return (this.lines ?? []).filter((line) => line.taskId === id && !isRecord(line));
  }

  /** What the events of a task tell of frozen files, and the list does not. */
  taskFaults({ evidence: { task, operations, events }, withheld }: HeldTask): string[] {
    if (this.lines === null || withheld > 0) return [];
    const lines = this.linesOf(task.id);
    const [requests, artifacts] = [lines.filter(isRequest), lines.filter((line) => !isRequest(line))];
    const left = operations.flatMap(({ requestBytesHash: hash }) => hash ?? []);
    return [
      ...checkArtifactFacts(task, artifacts as unknown as ArtifactRow[], events.map(tell)).map(({ detail }) => detail),
      ...left.flatMap((hash) => (requests.some((line) => line.hash === hash) ? [] : [`request ${hash} is not listed`])),
    ];
  }

  verify(run: VerifyRun, reader: PayloadReader, faults: string[]): void {
    const { lines } = this;
    if (lines === null) return run.leaveOpen("files_listed", `${BAG.files} has other columns than this program writes`);
    const listed = new Set(lines.map(({ path }) => path));
    const wrong = lines.filter(({ path, hash }) => path !== "" && reader.digest(path) !== hash);
    const unlisted = [...reader.names()].filter((name) => isListed(name) && !listed.has(name));
    const inside = lines.filter(({ path }) => path !== "").length;
    run.judge(
      "files_listed",
      [
        ...wrong.map(({ path, hash }) => `${BAG.files} names ${path} with ${hash}, which is not there`),
        ...unlisted.map((name) => `${name} is not in ${BAG.files}`),
        ...faults,
      ],
      `${inside} are there, ${lines.length - inside} were left out with a reason`,
    );
  }
}

const isRequest = ({ kind }: ListedLine): boolean => kind.startsWith("request ");
const isRecord = ({ kind }: ListedLine): boolean => RECORD_KINDS.includes(kind);

function lineOf(row: readonly string[]): ListedLine {
  const at = (name: string): string => row[FILES_HEAD.indexOf(name)] ?? "";
  const bytes = at("bytes") === "" ? null : Number(at("bytes"));
  // A title that a spreadsheet would carry out was made harmless.
  const title = at("title").replace(/^'(?=[=+\-@\t\r])/, "");
  const named = { taskId: at("task_id"), kind: at("kind"), hash: at("sha256"), bytes, title };
  return { ...named, licence: at("licence"), path: at("path"), withheld: at("left_out_because") };
}
