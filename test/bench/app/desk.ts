import { setTimeout as sleep } from "node:timers/promises";
import type { Channel, Input, Output } from "../../../preload/contract";
import { warningKey } from "../../../renderer/screens/content-review/sections";
import type { Running } from "./electron";

/** Asks the main process as the page does. */
export function ask<C extends Channel>(running: Running, channel: C, input: Input<C>): Promise<Output<C>> {
  return running.page.evaluate<Output<C>>(`api.invoke(${JSON.stringify(channel)}, ${JSON.stringify(input)})`);
}

/** How long the page waited for the answer to a command, in ms, by its own clock. @throws Error when it was refused. */
export async function timedCommand<C extends Channel>(running: Running, channel: C, input: Input<C>): Promise<number> {
  const expression = `(async () => {
    const start = performance.now();
    const answer = await api.invoke(${JSON.stringify(channel)}, ${JSON.stringify(input)});
    return { took: performance.now() - start, answer };
  })()`;
  const { took, answer } = await running.page.evaluate<{ took: number; answer: { result?: string } }>(expression);
  if (answer.result !== undefined && answer.result !== "applied")
    throw new Error(`${channel} was not applied: ${JSON.stringify(answer)}`);
  return took;
}

const STAGE_MS = 60_000;

/** Waits until the edition is in the state. @throws Error with where it is instead. */
export async function untilState(running: Running, taskId: string, state: string): Promise<void> {
  const until = performance.now() + STAGE_MS;
  let at = "";
  while (performance.now() < until) {
    at = (await ask(running, "run.get", { taskId }))?.state ?? "nowhere";
    if (at === state) return;
    await sleep(250);
  }
  throw new Error(`the edition is in ${at} and not in ${state}`);
}

/** Starts the edition that Today offers. @returns its task, and how long the answer took. */
export async function startOffered(running: Running): Promise<{ taskId: string; took: number }> {
  const edition = (await ask(running, "today.get", {})).startable?.edition;
  if (edition === undefined) throw new Error("Today offers no edition to start");
  const took = await timedCommand(running, "edition.start", { edition });
  const task = (await ask(running, "today.get", {})).live.find((live) => live.edition === edition);
  if (task === undefined) throw new Error(`${edition} was started and is not there`);
  return { taskId: task.taskId, took };
}

/** Approves what waits at the first gate, as a person who ticks everything. @returns how long the answer took. */
export async function approveContent(running: Running, taskId: string): Promise<number> {
  const review = await ask(running, "contentReview.get", { taskId });
  if (review === null) throw new Error("there is no package to approve");
  const { choice, hash } = review.comparedWith;
  return timedCommand(running, "contentReview.approve", {
    taskId,
    expectedVersion: review.stateVersion,
    packageHash: review.packageHash,
    contentHash: review.contentHash,
    comparedWith: { choice, hash },
    acknowledgedWarnings: review.warnings.map(warningKey),
    readSections: [],
  });
}

export async function approveSend(running: Running, taskId: string): Promise<number> {
  const review = await ask(running, "sendReview.get", { taskId });
  if (review === null) throw new Error("there is no mailing to approve");
  const { stateVersion: expectedVersion, pageUrl, bodyHash, audienceHash, confirmation } = review;
  const acknowledgedAdditions = review.audience.changes
    .filter(({ change }) => change === "added")
    .map(({ recipientId }) => recipientId);
  const seen = { pageUrl, bodyHash, audienceHash, typed: confirmation, acknowledgedAdditions };
  return timedCommand(running, "sendReview.approve", { taskId, expectedVersion, ...seen });
}
