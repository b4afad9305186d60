import { setTimeout as sleep } from "node:timers/promises";
import { median, percentile, round, timed } from "../stats";
import type { Yardstick } from "../yardstick";
import { ask, timedCommand } from "./desk";
import type { Running } from "./electron";

const CLICKS = 40;
/** A person does not click faster, and what the click before set off is over. */
const PAUSE_MS = 60;

/**
 * From the click to the answer that says "it is on disk". Beside each click one question that touches no disk, and one J: their
 * sum is what cannot be had for less. The click saves the mail's words: it freezes a mail besides the journal's commit.
 */
export async function benchClicks(running: Running, yardstick: Yardstick, taskId: string) {
  const samples = { click: [] as number[], invoke: [] as number[], j: [] as number[] };
  for (let number = 0; number < CLICKS; number += 1) {
    const review = await ask(running, "sendReview.get", { taskId });
    if (review === null) throw new Error("there is no mailing to edit");
    const words = { subject: `Subject ${number}`, intro: review.intro };
    const input = { taskId, expectedVersion: review.stateVersion, ...words };
    await sleep(PAUSE_MS);
    samples.invoke.push(await timedCommand(running, "app.bootstrap", {}));
    samples.click.push(await timedCommand(running, "sendReview.editEmail", input));
    samples.j.push(timed(() => yardstick.step()));
  }
  const floor = median(samples.invoke) + median(samples.j);
  return {
    ratioToInvokeAndJ: round(median(samples.click) / floor, 2),
    clickMs: { p50: round(median(samples.click)), p99: round(percentile(samples.click, 0.99)) },
    invokeP50Ms: round(median(samples.invoke)),
    jP50Ms: round(median(samples.j)),
    clicks: CLICKS,
  };
}
