import { percentile, round } from "../stats";
import type { Running } from "./electron";

/** One beat that came late: by how much, and how long of it the thread waited for a processor that others had. */
export interface Beat {
  lateMs: number;
  queuedMs: number;
}

const BEAT_MS = 5;

/** A heartbeat in the main process. Linux tells how long a thread stood in the queue for a processor; elsewhere it counts as 0. */
const HEARTBEAT = `(() => {
  const fs = require("node:fs");
  const file = "/proc/self/task/" + process.pid + "/schedstat";
  const queued = () => {
    try { return Number(fs.readFileSync(file, "utf8").split(" ")[1]) / 1e6; } catch { return 0; }
  };
  const beats = [];
  let last = performance.now();
  let stood = queued();
  const timer = setInterval(() => {
    const now = performance.now();
    const stands = queued();
    beats.push({ lateMs: now - last - ${BEAT_MS}, queuedMs: stands - stood });
    last = now;
    stood = stands;
  }, ${BEAT_MS});
  globalThis.benchHeart = { stop: () => { clearInterval(timer); return beats; } };
})()`;

/** How late the main process' timers were while something went on. */
export async function whileBeating(running: Running, work: () => Promise<unknown>): Promise<Beat[]> {
  const { main } = running;
  if (main === null) throw new Error("started without an inspector");
  await main.evaluate(HEARTBEAT);
  await work();
  return main.evaluate<Beat[]>("globalThis.benchHeart.stop()");
}

/**
 * `own` leaves out what the thread stood in the queue for a processor: on a busy machine that is others' doing. Waiting for the
 * disk is in it.
 */
export function tellBeats(beats: readonly Beat[]) {
  const told = (times: readonly number[]) => ({
    maxMs: round(percentile(times, 1), 1),
    p99Ms: round(percentile(times, 0.99), 1),
    over16Ms: times.filter((time) => time > 16).length,
  });
  return {
    own: told(beats.map(({ lateMs, queuedMs }) => Math.max(0, lateMs - queuedMs))),
    asSeen: told(beats.map(({ lateMs }) => Math.max(0, lateMs))),
    beats: beats.length,
  };
}
