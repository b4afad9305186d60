import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { round } from "../stats";
import { openYardstick } from "../yardstick";
import { benchClicks } from "./clicks";
import { approveContent, approveSend, ask, startOffered, untilState } from "./desk";
import { type Running, start } from "./electron";
import { writeEmptyApp } from "./empty-app";
import { tellBeats, whileBeating } from "./stalls";
import { benchStart } from "./start";

export interface AppOptions {
  executable: string;
  /** The folder of the built app. */
  appDir: string;
}

const IDLE_MS = 5_000;

/** Everything that needs the real window. */
export async function benchApp({ executable, appDir }: AppOptions) {
  const dir = mkdtempSync(join(tmpdir(), "imprimatur-bench-"));
  try {
    const preparedDir = join(dir, "prepared");
    await prepare({ executable, appDir }, preparedDir);
    const starts = await benchStart(executable, dir, appDir, preparedDir);
    const { stalls, clicks } = await benchEdition({ executable, appDir }, preparedDir);
    const idle = await emptyStalls(executable, dir);
    return { starts, mainThreadStalls: { edition: stalls, emptyWindowIdle: idle }, clicks };
  } finally {
    rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** A workspace as a person has it who opens the app for the second time. */
async function prepare({ executable, appDir }: AppOptions, dataDir: string): Promise<void> {
  const running = await start({ executable, app: appDir, dataDir });
  try {
    await untilAsked(running);
    await ask(running, "workspace.openSandbox", {});
  } finally {
    await running.stop();
  }
}

/** The page is there before its bridge is. */
async function untilAsked(running: Running): Promise<void> {
  for (let turn = 0; turn < 200; turn += 1) {
    if (await running.page.evaluate<boolean>("typeof api === 'object' && document.readyState === 'complete'")) return;
    await sleep(50);
  }
  throw new Error("the page has no bridge");
}

async function benchEdition({ executable, appDir }: AppOptions, dataDir: string) {
  const yardstick = openYardstick();
  const running = await start({ executable, app: appDir, dataDir, inspect: true });
  try {
    await untilAsked(running);
    await sleep(2_000);
    const took = { start: 0, approveContent: 0, approveSend: 0 };
    let taskId = "";
    const toTheSecondGate = await whileBeating(running, async () => {
      const started = await startOffered(running);
      taskId = started.taskId;
      took.start = started.took;
      await untilState(running, taskId, "awaiting_content_approval");
      took.approveContent = await approveContent(running, taskId);
      await untilState(running, taskId, "awaiting_send_approval");
    });
    const clicks = await benchClicks(running, yardstick, taskId);
    const toTheEnd = await whileBeating(running, async () => {
      took.approveSend = await approveSend(running, taskId);
      await untilState(running, taskId, "succeeded");
    });
    const once = Object.fromEntries(Object.entries(took).map(([name, ms]) => [name, round(ms)]));
    return { stalls: tellBeats([...toTheSecondGate, ...toTheEnd]), clicks: { ...clicks, onceMs: once } };
  } finally {
    await running.stop();
    yardstick.close();
  }
}

/** The same heartbeat where nothing happens: what this machine does to any program now. */
async function emptyStalls(executable: string, dir: string) {
  const app = writeEmptyApp(join(dir, "empty"));
  const running = await start({ executable, app, dataDir: join(dir, "empty-idle"), inspect: true });
  try {
    return tellBeats(await whileBeating(running, () => sleep(IDLE_MS)));
  } finally {
    await running.stop();
  }
}
