import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { DEFAULT_MIX } from "../sandbox/ledger/default-mix";
import { type Mix, parseMix } from "../sandbox/ledger/mix";
import { drawMix } from "./ledger-draw";

export interface LedgerOptions {
  json: boolean;
  mix: Mix;
  /** Prints the mix and runs nothing. */
  showsMix: boolean;
  workspace: string | null;
}

const HELP = `ledger: lives through thirty weeks with faults, and counts what came of them from the journal and the remotes

  --json             one JSON object on standard output
  --seed N           another mix, drawn from the seed: the same one every time
  --mix FILE.json    a mix of your own; README, "The ledger of thirty", tells the format
  --show-mix         prints the mix as JSON and runs nothing: a start for a file of your own
  --workspace DIR    keeps the workspace in a folder that does not exist yet or is empty
`;

const FLAGS = {
  json: { type: "boolean" },
  help: { type: "boolean" },
  seed: { type: "string" },
  mix: { type: "string" },
  "show-mix": { type: "boolean" },
  workspace: { type: "string" },
} as const;

/** Reads the arguments and the mix they name. What is wrong names the option or the field, and what it takes. */
export function parseLedgerOptions(
  args: readonly string[],
): { options: LedgerOptions } | { help: string } | { wrong: string } {
  try {
    const { values } = parseArgs({ args: [...args], options: FLAGS, strict: true, allowPositionals: false });
    if (values.help) return { help: HELP };
    const { seed, mix: file, workspace } = values;
    if (seed !== undefined && file !== undefined)
      return { wrong: "--seed draws a mix and --mix brings one: give one of the two" };
    if (workspace === "") return { wrong: "--workspace takes a folder" };
    const chosen = file === undefined ? mixOf(seed) : readMix(file);
    if ("wrong" in chosen) return chosen;
    const common = { json: values.json ?? false, showsMix: values["show-mix"] ?? false };
    return { options: { ...common, mix: chosen.mix, workspace: workspace ?? null } };
  } catch (error) {
    return { wrong: error instanceof Error ? error.message : String(error) };
  }
}

type Chosen = { mix: Mix } | { wrong: string };

function mixOf(seed: string | undefined): Chosen {
  if (seed !== undefined && !/^\d{1,9}$/.test(seed))
    return { wrong: `--seed takes a whole number of at most nine digits, not ${seed}` };
  const parsed = parseMix(seed === undefined ? DEFAULT_MIX : drawMix(Number(seed)));
  return "mix" in parsed ? parsed : { wrong: parsed.faults.join("\n") };
}

function readMix(file: string): Chosen {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    return { wrong: `--mix ${file} cannot be read: ${error instanceof Error ? error.message : String(error)}` };
  }
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    return { wrong: `--mix ${file} is not JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
  const parsed = parseMix(value);
  if ("mix" in parsed) return parsed;
  return { wrong: [`--mix ${file} was not taken, nothing was run:`, ...parsed.faults].join("\n  ") };
}
