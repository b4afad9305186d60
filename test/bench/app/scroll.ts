import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { percentile, round } from "../stats";
import { type Running, start } from "./electron";
import { writeEmptyApp } from "./empty-app";

export interface ScrollOptions {
  /** Where the gallery of scenes answers. */
  gallery: string;
  chromium?: string;
  electron?: string;
}

/** The screens that scroll for long, and what of them scrolls. */
const LISTS = { ledger: ["ledger-long", ".ledger-scroll"], timeline: ["run-long", ".event-scroll"] } as const;
type List = keyof typeof LISTS;

/** A wheel that is turned without a pause: a notch of a usual mouse in every frame, whether the page keeps up or not. */
const NOTCH_PX = 120;
const NOTCH_MS = 16;
const TURN_NOTCHES = 40;
const READY_MS = 30_000;

interface Seen {
  rows: number;
  elements: number;
  frames: number[];
  tasks: number[];
}

/** The ledger of 10,000 editions and the timeline of 5,000 events, scrolled by the wheel from the first row to the last. */
export async function benchScroll({ gallery, chromium, electron }: ScrollOptions) {
  const dir = mkdtempSync(join(tmpdir(), "imprimatur-bench-"));
  const open = (list: List, executable: string, isBrowser: boolean) => {
    const url = `${gallery}?scene=${LISTS[list][0]}`;
    const at = join(dir, `${list}-${isBrowser}`);
    return isBrowser
      ? start({ executable, app: url, dataDir: at, flags: ["--headless=new", "--window-size=1280,860"] })
      : start({ executable, app: writeEmptyApp(join(at, "app"), url), dataDir: at });
  };
  const both = async (executable: string | undefined, isBrowser: boolean) => {
    if (executable === undefined) return { notMeasured: "not on this machine" };
    const measured = async (list: List) => scrollThrough(await open(list, executable, isBrowser), LISTS[list][1]);
    return { ledger: await measured("ledger"), timeline: await measured("timeline") };
  };
  try {
    return { chromium: await both(chromium, true), electron: await both(electron, false) };
  } finally {
    rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Frames and tasks as the page itself sees them, and the most rows and elements there were at once. */
const watch = (box: string) => `(() => {
  const seen = { rows: 0, elements: 0, frames: [], tasks: [] };
  new PerformanceObserver((list) => seen.tasks.push(...list.getEntries().map((entry) => entry.duration)))
    .observe({ type: "longtask" });
  let last = performance.now();
  const look = (now) => {
    seen.frames.push(now - last);
    last = now;
    seen.rows = Math.max(seen.rows, document.querySelectorAll("${box} :is(tr, li)").length);
    seen.elements = Math.max(seen.elements, document.getElementsByTagName("*").length);
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
  window.benchSeen = seen;
})()`;

async function scrollThrough(running: Running, box: string) {
  const { page } = running;
  const element = `document.querySelector("${box}")`;
  try {
    await until(() => page.evaluate<boolean>(`${element}?.querySelector("[data-row]") != null`));
    const place = await page.evaluate<{ x: number; y: number }>(
      `(() => { ${element}.scrollIntoView({ block: "center" }); const { x, y } = ${element}.getBoundingClientRect();
        return { x: x + 200, y: Math.max(y, 0) + 120 }; })()`,
    );
    await page.evaluate(watch(box));
    const begun = performance.now();
    const atEnd = `${element}.scrollTop + ${element}.clientHeight >= ${element}.scrollHeight - 2`;
    const notch = { type: "mouseWheel", ...place, deltaX: 0, deltaY: NOTCH_PX };
    const turnTo = async (index: number) => {
      await sleep(index * NOTCH_MS);
      await page.send("Input.dispatchMouseEvent", notch);
    };
    let turns = 0;
    do {
      await Promise.all(Array.from({ length: TURN_NOTCHES }, (_, index) => turnTo(index)));
      turns += 1;
    } while (!(await page.evaluate<boolean>(atEnd)));
    const seen = await page.evaluate<Seen>("window.benchSeen");
    return {
      rowsMost: seen.rows,
      elementsMost: seen.elements,
      longTasks: seen.tasks.length,
      longestTaskMs: round(percentile(seen.tasks, 1), 0),
      frameMs: { p95: round(percentile(seen.frames, 0.95), 1), most: round(percentile(seen.frames, 1), 1) },
      ...{ notches: turns * TURN_NOTCHES, tookS: round((performance.now() - begun) / 1_000, 1) },
    };
  } finally {
    await running.stop();
  }
}

async function until(question: () => Promise<boolean>): Promise<void> {
  const late = performance.now() + READY_MS;
  while (!(await question())) {
    if (performance.now() > late) throw new Error("the list did not come");
    await sleep(50);
  }
}
