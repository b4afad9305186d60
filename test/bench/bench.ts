import { availableParallelism, cpus, loadavg } from "node:os";
import { parseArgs } from "node:util";
import { findChromium } from "../support/chromium";
import { benchApp } from "./app/app";
import { benchScroll } from "./app/scroll";
import { breakdown } from "./breakdown";
import { benchEvidence } from "./evidence/evidence";
import { benchFsyncs, fsyncChild } from "./fsyncs";
import { benchJournal } from "./journal";
import { benchLedger } from "./ledger";
import { benchMetrics } from "./metrics";
import { benchReadModels } from "./read-models";
import { toText } from "./text";
import { type Measured, tryToMeasure } from "./try-to-measure";

/** The parts by their names on the command line, in the order in which they are measured. */
const PARTS = [
  "journal",
  "breakdown",
  "fsyncs",
  "read-models",
  "metrics",
  "ledger",
  "evidence",
  "app",
  "scroll",
] as const;
type Part = (typeof PARTS)[number];

const HELP = `bench: how fast it is, as ratios to what cannot be had for less, measured in turns on this machine

  --json          one JSON object on standard output
  --only PARTS    some of ${PARTS.join(",")}

Timings depend on the machine and on who else uses it; the load is told beside them. Nothing here passes or fails.
`;

interface Paths {
  electron?: string;
  app?: string;
  cli?: string;
  gallery?: string;
}

async function measure(part: Part, paths: Paths): Promise<Measured> {
  switch (part) {
    case "journal":
      return benchJournal();
    case "breakdown":
      return breakdown();
    case "fsyncs":
      if (process.platform !== "linux" || paths.cli === undefined) return { notMeasured: "strace is of Linux" };
      return benchFsyncs([process.execPath, process.argv[1] ?? ""], paths.cli);
    case "read-models":
      return benchReadModels();
    case "metrics":
      return benchMetrics();
    case "ledger":
      return benchLedger();
    case "evidence":
      return benchEvidence(paths.cli);
    case "app":
      if (process.platform !== "linux" || paths.electron === undefined || paths.app === undefined)
        return { notMeasured: "the processes' memory and queues are read from Linux" };
      return benchApp({ executable: paths.electron, appDir: paths.app });
    case "scroll": {
      const { gallery, electron } = paths;
      if (gallery === undefined) return { notMeasured: "there is no gallery of scenes to scroll in" };
      const chromium = findChromium();
      return benchScroll({ gallery, ...(chromium && { chromium }), ...(electron && { electron }) });
    }
  }
}

async function main(): Promise<number> {
  if (process.argv[2] === "fsync-child") {
    fsyncChild(process.argv[3] ?? "");
    return 0;
  }
  const { values } = parseArgs({
    options: {
      json: { type: "boolean" },
      help: { type: "boolean" },
      only: { type: "string" },
      electron: { type: "string" },
      app: { type: "string" },
      cli: { type: "string" },
      gallery: { type: "string" },
    },
  });
  const wanted = values.only?.split(",") ?? PARTS;
  const unknown = wanted.filter((name) => !(PARTS as readonly string[]).includes(name));
  if (values.help || unknown.length > 0) {
    process.stderr.write(unknown.length > 0 ? `bench: there is no part ${unknown.join(", ")}\n\n${HELP}` : HELP);
    return unknown.length > 0 ? 2 : 0;
  }
  const start = performance.now();
  const before = loadavg()[0] ?? 0;
  const measured: Record<string, Measured> = {};
  for (const part of PARTS) {
    if (!wanted.includes(part)) continue;
    process.stderr.write(`bench: ${part} …\n`);
    measured[part] = await tryToMeasure(() => measure(part, values));
  }
  const machine = {
    processors: availableParallelism(),
    model: cpus()[0]?.model ?? "unknown",
    node: process.version,
    platform: `${process.platform}-${process.arch}`,
    loadAverage: { before: Math.round(before * 10) / 10, after: Math.round((loadavg()[0] ?? 0) * 10) / 10 },
    tookS: Math.round((performance.now() - start) / 1_000),
  };
  const report = { machine, ...measured };
  process.stdout.write(values.json ? `${JSON.stringify(report)}\n` : toText(report));
  return 0;
}

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exitCode = 1;
  },
);
