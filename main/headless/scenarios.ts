import { parseArgs } from "node:util";
import { allScenarios, baselines } from "../sandbox/scenarios/all";
import type { Scenario } from "../sandbox/scenarios/stage";
import { differences, type Expected, readExpected } from "./scenarios-judge";
import type { RemoteOutcome } from "./scenarios-outcome";
import { type Played, playScenario } from "./scenarios-play";
import type { Streams } from "./streams";

/** One scenario in the report: what was frozen about it, and whether it came to that. */
interface Judged {
  id: string;
  title: Scenario["title"];
  passed: boolean;
  differences: readonly string[];
  events: readonly string[];
  /** Creates received and objects held by the remote that the scenario is about: website, or mail provider in groups 9 to 11. */
  createCalls: number;
  remoteObjects: number;
  state: string;
  /** Every call and object of both, as they counted themselves. */
  remote: RemoteOutcome | null;
  ms: number;
}

/** As many at a time as a small laptop carries; each has servers and a workspace of its own. */
const PARALLEL = 3;

const HELP = `scenarios: plays the frozen fault scenarios on throw-away workspaces and holds each against what was frozen

  --json          one JSON object on standard output
  --list          ids and titles in both languages
  --only S13      one of them; several separated by commas
  --expected DIR  where the frozen expectations are (test/scenarios/expected)
`;

/** @returns 0 only when every scenario that was played came to exactly what was frozen. */
export async function scenarios(args: readonly string[], samplesDir: string, streams: Streams): Promise<number> {
  const parsed = parseFlags(args);
  if ("wrong" in parsed) return say(streams, `scenarios: ${parsed.wrong}; see --help\n`, 2);
  const { values } = parsed;
  if (values.help) return say(streams, HELP, 0);
  if (values.list) return list(streams, values.json === true);
  const wanted = values.only?.split(",").map((id) => id.trim().toUpperCase());
  const all = [...allScenarios, ...baselines];
  const unknown = wanted?.filter((id) => !all.some((scenario) => scenario.id === id)) ?? [];
  if (unknown.length > 0)
    return say(streams, `scenarios: --only: none is named ${unknown.join(", ")}; --list names them all\n`, 2);
  const chosen = all.filter((scenario) => wanted?.includes(scenario.id) ?? true);
  const expected = readExpected(values.expected);
  const judged = await playAll(chosen, samplesDir, expected);
  report(judged, values.json === true, streams);
  return judged.every((one) => one.passed) ? 0 : 1;
}

const FLAGS = {
  json: { type: "boolean" },
  list: { type: "boolean" },
  help: { type: "boolean" },
  only: { type: "string" },
  expected: { type: "string", default: "test/scenarios/expected" },
} as const;

function parseFlags(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: FLAGS, strict: true, allowPositionals: false });
  } catch (error) {
    return { wrong: error instanceof Error ? error.message : String(error) };
  }
}

function say(streams: Streams, text: string, code: number): number {
  (code === 0 ? streams.out : streams.err)(text);
  return code;
}

function list(streams: Streams, json: boolean): number {
  const all = [...allScenarios, ...baselines].map(({ id, group, title }) => ({ id, group, title }));
  if (json) streams.out(`${JSON.stringify(all)}\n`);
  else for (const { id, title } of all) streams.out(`${id}  ${title["zh-CN"]}  ·  ${title.en}\n`);
  return 0;
}

async function playAll(
  chosen: readonly Scenario[],
  samplesDir: string,
  expected: ReadonlyMap<string, Expected>,
): Promise<Judged[]> {
  const judged: Judged[] = [];
  const queue = chosen.map((scenario, index) => ({ scenario, index }));
  const worker = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift())
      judged[next.index] = await playOne(next.scenario, samplesDir, expected.get(next.scenario.id));
  };
  await Promise.all(Array.from({ length: PARALLEL }, worker));
  return judged;
}

async function playOne(scenario: Scenario, samplesDir: string, expected: Expected | undefined): Promise<Judged> {
  const { id, title } = scenario;
  try {
    return judge(scenario, await playScenario(scenario, samplesDir), expected);
  } catch (error) {
    // One that cannot be played is one that failed; the others are played all the same.
    const reason = error instanceof Error ? error.message : String(error);
    const nothing = { events: [], createCalls: 0, remoteObjects: 0, state: "not played", remote: null, ms: 0 };
    return { id, title, passed: false, differences: [reason], ...nothing };
  }
}

function judge({ id, group, title }: Scenario, { outcome, ms }: Played, expected: Expected | undefined): Judged {
  const found = expected === undefined ? ["nothing was frozen about it"] : differences(expected, outcome);
  const { calls, posts, campaigns } = outcome.remote;
  const isMailing = group >= 9 && group <= 11;
  return {
    id,
    title,
    passed: found.length === 0,
    differences: found,
    events: outcome.events,
    createCalls: calls[isMailing ? "mail.create" : "cms.create"] ?? 0,
    remoteObjects: (isMailing ? campaigns : posts).length,
    state: outcome.state,
    remote: outcome.remote,
    ms,
  };
}

function report(judged: readonly Judged[], json: boolean, streams: Streams): void {
  const passed = judged.filter((one) => one.passed).length;
  const failed = judged.length - passed;
  const isBaseline = (one: Judged) => baselines.some((scenario) => scenario.id === one.id);
  if (json) {
    const [rest, normal] = [judged.filter((one) => !isBaseline(one)), judged.filter(isBaseline)];
    streams.out(`${JSON.stringify({ passed, failed, scenarios: rest, baselines: normal })}\n`);
    return;
  }
  for (const { id, title, passed: isGood, state, differences: found } of judged) {
    streams.out(`${isGood ? "ok  " : "FAIL"} ${id} ${title["zh-CN"]} · ${title.en}: ${state}\n`);
    for (const difference of found) streams.out(`       ${difference}\n`);
  }
  streams.out(`${passed} passed, ${failed} failed\n`);
}
