/** A stretch of two lists: in both, only in the older, or only in the newer. Indices into the list it is in, end exclusive. */
export interface EditRun {
  kind: "same" | "removed" | "added";
  from: number;
  to: number;
}

/**
 * The shortest way to turn one list into another (Myers 1986, the greedy algorithm), as runs in reading order.
 * @param limit most items that may differ. Time and memory grow with its square, so that no text can stop the program.
 * @returns null when more than `limit` items differ.
 */
export function shortestEdit(older: readonly string[], newer: readonly string[], limit: number): EditRun[] | null {
  const start = commonStart(older, newer);
  const end = commonEnd(older, newer, start);
  const a = older.slice(start, older.length - end);
  const b = newer.slice(start, newer.length - end);
  const middle = a.length === 0 || b.length === 0 ? oneSided(a.length, b.length) : greedy(a, b, limit);
  if (middle === null) return null;
  return joined([
    ...sameRun(0, start),
    ...middle.map(({ kind, from, to }) => ({ kind, from: from + start, to: to + start })),
    ...sameRun(older.length - end, older.length),
  ]);
}

const sameRun = (from: number, to: number): EditRun[] => (to > from ? [{ kind: "same", from, to }] : []);

function oneSided(removed: number, added: number): EditRun[] {
  if (removed > 0) return [{ kind: "removed", from: 0, to: removed }];
  return added > 0 ? [{ kind: "added", from: 0, to: added }] : [];
}

function commonStart(a: readonly string[], b: readonly string[]): number {
  let at = 0;
  while (at < a.length && at < b.length && a[at] === b[at]) at += 1;
  return at;
}

function commonEnd(a: readonly string[], b: readonly string[], start: number): number {
  const most = Math.min(a.length, b.length) - start;
  let count = 0;
  while (count < most && a[a.length - 1 - count] === b[b.length - 1 - count]) count += 1;
  return count;
}

/**
 * Walks ever more edits ahead on every diagonal (`k` = place in the older minus place in the newer) and remembers how far it
 * came each time, so that the way can be read backwards.
 */
function greedy(a: readonly string[], b: readonly string[], limit: number): EditRun[] | null {
  const most = Math.min(limit, a.length + b.length);
  const offset = most + 1;
  const reach = new Int32Array(2 * most + 3);
  const trace: Int32Array[] = [];
  for (let edits = 0; edits <= most; edits += 1) {
    trace.push(reach.slice(offset - edits - 1, offset + edits + 2));
    for (let k = -edits; k <= edits; k += 2) {
      let x = isDown(reach, offset, k, edits) ? at(reach, offset + k + 1) : at(reach, offset + k - 1) + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x += 1;
      reach[offset + k] = x;
      if (x >= a.length && x - k >= b.length) return readBack(trace, a.length, b.length);
    }
  }
  return null;
}

const at = (values: Int32Array, index: number): number => values[index] ?? 0;

/** Whether the last edit on the way to diagonal `k` was an addition. */
const isDown = (reach: Int32Array, offset: number, k: number, edits: number): boolean =>
  k === -edits || (k !== edits && at(reach, offset + k - 1) < at(reach, offset + k + 1));

function readBack(trace: readonly Int32Array[], older: number, newer: number): EditRun[] {
  const runs: EditRun[] = [];
  let [x, y] = [older, newer];
  for (let edits = trace.length - 1; edits >= 0; edits -= 1) {
    const reach = trace[edits] as Int32Array;
    const offset = edits + 1;
    const k = x - y;
    const before = isDown(reach, offset, k, edits) ? k + 1 : k - 1;
    const beforeX = edits === 0 ? 0 : at(reach, offset + before);
    const beforeY = edits === 0 ? 0 : beforeX - before;
    const [fromX, fromY] = edits === 0 ? [0, 0] : before > k ? [beforeX, beforeY + 1] : [beforeX + 1, beforeY];
    if (x > fromX) runs.push({ kind: "same", from: fromX, to: x });
    if (edits > 0 && before > k) runs.push({ kind: "added", from: beforeY, to: fromY });
    else if (edits > 0) runs.push({ kind: "removed", from: beforeX, to: fromX });
    [x, y] = [beforeX, beforeY];
  }
  return runs.reverse();
}

/** Joins neighbours, and within one change puts what went before what came. */
function joined(runs: readonly EditRun[]): EditRun[] {
  const result: EditRun[] = [];
  let change: EditRun[] = [];
  const settle = () => {
    for (const kind of ["removed", "added"] as const) {
      const parts = change.filter((run) => run.kind === kind);
      const [first, last] = [parts[0], parts.at(-1)];
      if (first && last) result.push({ kind, from: first.from, to: last.to });
    }
    change = [];
  };
  for (const run of runs) {
    if (run.kind !== "same") {
      change.push(run);
      continue;
    }
    settle();
    const last = result.at(-1);
    if (last?.kind === "same") last.to = run.to;
    else result.push({ ...run });
  }
  settle();
  return result;
}
