import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { World } from "../support/world";
import { countTrace, END, Markers } from "./markers";
import { round } from "./stats";
import { tell } from "./story";

const EDITIONS = 60;
/** The commands of one edition of the story that are steps of our own, and those that are one external write. */
const LOCAL = new Set(["record_step", "note"]);
const LOCAL_STEPS = 4;
const EXTERNAL_WRITES = 2;
const STRACE = "strace";
const TRACE = ["-f", "-qq", "-y", "-e", "trace=fsync,fdatasync"];

/** What runs under strace: the story of the journal's benchmark, each command between two marks. */
export function fsyncChild(dir: string): void {
  const markers = new Markers(dir);
  const world = new World();
  try {
    world.database.sqlite.pragma("synchronous = FULL");
    for (let edition = 0; edition < EDITIONS; edition += 1)
      tell(world, edition, ({ name, command, context }) => {
        markers.mark(LOCAL.has(name) ? "local" : "external");
        const answer = world.journal.execute(command, context);
        markers.mark(END);
        return answer;
      });
  } finally {
    world.close();
    markers.close();
  }
}

/**
 * Waits for the disk, counted by strace: per step of our own and per external write (marked as sent, answered), as the journal
 * alone makes them; and of one whole edition of the demo, by what was waited for.
 * @param program how this benchmark is started again; @param cli the built headless program
 */
export function benchFsyncs(program: readonly string[], cli: string) {
  const dir = mkdtempSync(join(tmpdir(), "imprimatur-fsyncs-"));
  try {
    const story = traced(join(dir, "story"), [...program, "fsync-child", join(dir, "marks")]);
    const counts = countTrace(story, () => "journal");
    const perJournal = (mark: string, times: number) => round((counts[mark]?.["journal"] ?? 0) / (EDITIONS * times), 2);
    const workspace = join(dir, "workspace");
    const demo = [process.execPath, cli, "demo", "--json", "--faults", "none", "--workspace", workspace];
    const edition = new Map<string, number>();
    for (const [, path] of traced(join(dir, "demo"), demo).matchAll(/\bf(?:data)?sync\(\d+<([^>]*)>/g)) {
      const name = partOf(path ?? "", workspace);
      edition.set(name, (edition.get(name) ?? 0) + 1);
    }
    return {
      perLocalStep: perJournal("local", LOCAL_STEPS),
      perExternalWrite: perJournal("external", EXTERNAL_WRITES),
      wholeEditionByPart: Object.fromEntries([...edition].sort(([, a], [, b]) => b - a)),
    };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** @returns the trace. @throws Error when strace may not trace here, or the program failed. */
function traced(file: string, command: readonly string[]): string {
  execFileSync(STRACE, [...TRACE, "-o", file, ...command], { stdio: ["ignore", "ignore", "pipe"] });
  return readFileSync(file, "utf8");
}

/** Which part of a workspace a file belongs to. */
function partOf(path: string, workspace: string): string {
  const inside = path.startsWith(workspace) ? path.slice(workspace.length + 1) : "";
  const [first = ""] = inside.split("/");
  if (first.startsWith("journal.db")) return "journal";
  if (first.startsWith("customers.db")) return "customers";
  if (first === "remote") return "the sandbox's own records";
  return first === "blobs" ? "frozen bytes" : "notes, keys and the folder itself";
}
