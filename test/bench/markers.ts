import { closeSync, fsyncSync, mkdirSync, openSync } from "node:fs";
import { join } from "node:path";

/**
 * Says in the trace of a process where something begins and ends: by an fsync of a file whose name is the mark. The trace is of
 * fsyncs anyway, and shows the file of each.
 */
export class Markers {
  private readonly files = new Map<string, number>();

  constructor(private readonly dir: string) {
    mkdirSync(dir, { recursive: true });
  }

  mark(name: string): void {
    const file = this.files.get(name) ?? openSync(join(this.dir, `${MARK}${name}`), "a");
    this.files.set(name, file);
    fsyncSync(file);
  }

  close(): void {
    for (const file of this.files.values()) closeSync(file);
  }
}

const MARK = "bench-mark-";
export const END = "end";

/** Fsyncs between a mark and the next `end`, per mark and per file as `nameOf` calls it. */
export function countTrace(
  trace: string,
  nameOf: (path: string) => string,
): Readonly<Record<string, Readonly<Record<string, number>>>> {
  const counts: Record<string, Record<string, number>> = {};
  let at = END;
  for (const line of trace.split("\n")) {
    // A call that another thread interrupted is traced in two lines; the second one does not name the file.
    const path = /\bf(?:data)?sync\(\d+<([^>]*)>/.exec(line)?.[1];
    if (path === undefined) continue;
    const mark = path.split(MARK)[1];
    if (mark !== undefined) {
      at = mark;
      continue;
    }
    if (at === END) continue;
    const name = nameOf(path);
    const files = counts[at] ?? {};
    files[name] = (files[name] ?? 0) + 1;
    counts[at] = files;
  }
  return counts;
}
