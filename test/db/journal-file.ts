import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { Journal } from "../../db/journal";
import { openJournal } from "../../db/open";
import type { PipelineDefinition } from "../../main/domain/definition";
import type { CrashPoints } from "../../main/domain/ports";

export const START = Date.parse("2026-07-20T00:00:00Z");
export const noCrash: CrashPoints = { reach: () => undefined };

/** An empty folder that is gone after the test. */
export function testFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), "journal-test-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/**
 * A real journal file, opened as the program opens it; only that it waits for no disk. Called twice with one folder, it gives
 * two connections to one file.
 */
export function testJournal(
  options: {
    dir?: string;
    definitions?: readonly PipelineDefinition[];
    crash?: CrashPoints;
    busyTimeoutMs?: number;
  } = {},
) {
  const { dir = testFolder(), definitions = [], crash = noCrash, busyTimeoutMs = 100 } = options;
  const opened = openJournal({
    dir,
    now: START,
    kind: "sandbox",
    workspaceId: "test",
    durability: "simulation",
    busyTimeoutMs,
  });
  if (opened.kind === "problem") throw new Error(`${opened.problem.code}: ${opened.problem.detail}`);
  const { sqlite, path } = opened.journal;
  onTestFinished(() => void sqlite.close());
  const journal = new Journal({ sqlite, definitions, crash, now: () => START });
  return { dir, path, sqlite, journal, close: () => void sqlite.close() };
}
