// What set-up tells a person. Everything goes to stderr, so that a command's own answer on stdout stays clean.
const STILL_GOING_MS = 30_000;
let quiet = false;
let spoken = 0;

export function setQuiet(value) {
  quiet = value;
}

export function say(text) {
  spoken++;
  if (!quiet) process.stderr.write(`set-up: ${text}\n`);
}

/** How many lines this run had to say; 0 means that there was nothing to do. */
export const linesSaid = () => spoken;

export const secondsSince = (start) => ((performance.now() - start) / 1000).toFixed(1);

/** Says what is about to happen, does it, and says how long it took; a long silence would look like a hang. */
export async function step(text, work) {
  const start = performance.now();
  say(`${text} …`);
  const heartbeat = setInterval(() => say(`  still at it after ${Math.round(secondsSince(start))} s`), STILL_GOING_MS);
  try {
    const result = await work();
    say(`  done in ${secondsSince(start)} s: ${text}`);
    return result;
  } finally {
    clearInterval(heartbeat);
  }
}

/** A failure that a person can act on: shown as it is, without a stack. */
export class SetupError extends Error {}
