import { z } from "zod";
import { readSmall, writeWhole } from "./small-file";

const Bounds = z.object({ x: z.int(), y: z.int(), width: z.int().positive(), height: z.int().positive() });
const WindowMemory = z.object({
  bounds: Bounds.nullable(),
  isMaximized: z.boolean(),
  /** Whether it was said that closing the window leaves the program in the tray. Once is enough. */
  saidTray: z.boolean(),
});

export type Rectangle = z.infer<typeof Bounds>;
export type WindowMemory = z.infer<typeof WindowMemory>;

/** Below this the review screens, with a fact beside its source, no longer fit. */
export const MIN_WIDTH = 1024;
export const MIN_HEIGHT = 700;
const FIRST_WIDTH = 1280;
const FIRST_HEIGHT = 860;

/** How much of the title bar must be on a screen for a person to be able to take hold of it. */
const GRIP_WIDTH = 160;
const GRIP_HEIGHT = 24;

const shared = (from: number, length: number, otherFrom: number, otherLength: number) =>
  Math.min(from + length, otherFrom + otherLength) - Math.max(from, otherFrom);

function isReachable(bounds: Rectangle, areas: readonly Rectangle[]): boolean {
  return areas.some(
    (area) =>
      shared(bounds.x, bounds.width, area.x, area.width) >= GRIP_WIDTH &&
      shared(bounds.y, GRIP_HEIGHT, area.y, area.height) >= GRIP_HEIGHT,
  );
}

/**
 * Where the window goes: where it was, if that place still exists (a second screen may be gone), otherwise in the middle
 * of the first screen. Never larger than a screen, never smaller than the least size.
 */
export function placeWindow(saved: Rectangle | null, areas: readonly Rectangle[]): Rectangle {
  const first = areas[0] ?? { x: 0, y: 0, width: FIRST_WIDTH, height: FIRST_HEIGHT };
  const home = saved !== null && isReachable(saved, areas) ? saved : null;
  const area = home === null ? first : (areas.find((candidate) => isReachable(home, [candidate])) ?? first);
  const width = Math.max(MIN_WIDTH, Math.min(home?.width ?? FIRST_WIDTH, area.width));
  const height = Math.max(MIN_HEIGHT, Math.min(home?.height ?? FIRST_HEIGHT, area.height));
  if (home !== null) return { x: home.x, y: home.y, width, height };
  const middle = (from: number, room: number, length: number) => from + Math.max(0, Math.round((room - length) / 2));
  return { x: middle(area.x, area.width, width), y: middle(area.y, area.height, height), width, height };
}

export interface WindowMemoryFile {
  read(): WindowMemory;
  write(change: Partial<WindowMemory>): void;
}

/** Remembers the window between starts. Losing it is a nuisance, so nothing here may fail a start or an end. */
export function openWindowMemory(file: string, report: (code: string) => void): WindowMemoryFile {
  const first = readSmall<WindowMemory>(file, WindowMemory, { bounds: null, isMaximized: false, saidTray: false });
  if (first.problem !== null) report(`window_state_${first.problem}`);
  let current = first.value;
  let written = JSON.stringify(current);
  return {
    read: () => current,
    write: (change) => {
      current = { ...current, ...change };
      const text = JSON.stringify(current);
      if (text === written || first.problem === "unreadable") return;
      try {
        writeWhole(file, `${text}\n`);
        written = text;
      } catch {
        report("window_state_not_written");
      }
    },
  };
}
