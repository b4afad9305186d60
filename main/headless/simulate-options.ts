import type { InvariantId } from "../domain/invariants";

export interface SimulateOptions {
  from: number;
  seeds: number;
  /** One seed alone. */
  isSingle: boolean;
  json: boolean;
  trace: boolean;
  faultLimit: number | null;
  beyondHorizon: boolean;
  broken: InvariantId | null;
  workspace: string | null;
}

const HELP = `simulate  lives through whole worlds from seeds: editions, processes, remotes, people and everything that goes wrong

  --seeds N          how many worlds (default 100); --from N the first seed (default 1)
  --seed N           one world; with --trace everything that happened in it, the same lines every time
  --faults N         only the first N faults of each world (a violation's report names the least)
  --break I02        lives with one invariant's guard and database constraint switched off: must find violations
  --workspace DIR    keeps the first violating journal there, for fsck: a folder that does not exist yet or is empty
  --beyond-horizon   remotes may also carry out a write later than their declared horizon: outside of the promise, and seen
  --json             one JSON object
`;

const WHOLE = /^\d{1,9}$/;

/** Takes the command's arguments apart. */
export function parseSimulateOptions(
  args: readonly string[],
): { options: SimulateOptions } | { help: string } | { wrong: string } {
  const options: SimulateOptions = {
    ...{ from: 1, seeds: 100, isSingle: false, json: false, trace: false },
    ...{ faultLimit: null, beyondHorizon: false, broken: null, workspace: null },
  };
  const left = [...args];
  for (let name = left.shift(); name !== undefined; name = left.shift()) {
    if (name === "--help") return { help: HELP };
    if (name === "--json") options.json = true;
    else if (name === "--trace") options.trace = true;
    else if (name === "--beyond-horizon") options.beyondHorizon = true;
    else {
      const value = left.shift();
      const wrong = value === undefined ? `${name} needs a value` : take(options, name, value);
      if (wrong !== null) return { wrong: `${wrong}; see --help` };
    }
  }
  if (options.isSingle) options.seeds = 1;
  return { options };
}

function take(options: SimulateOptions, name: string, value: string): string | null {
  if (name === "--break") {
    if (!/^I0[1-8]$/.test(value)) return "--break takes one of I01 to I08";
    options.broken = value as InvariantId;
    return null;
  }
  if (name === "--workspace") {
    options.workspace = value;
    return null;
  }
  if (!["--seeds", "--from", "--seed", "--faults"].includes(name)) return `${name} is no option`;
  if (!WHOLE.test(value)) return `${name} takes a whole number`;
  const number = Number(value);
  if (name === "--seeds" && number === 0) return "--seeds takes one or more";
  if (name === "--seeds") options.seeds = number;
  if (name === "--from") options.from = number;
  if (name === "--faults") options.faultLimit = number;
  if (name === "--seed") Object.assign(options, { from: number, isSingle: true });
  return null;
}
