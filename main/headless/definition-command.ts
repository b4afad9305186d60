import { cpSync, mkdirSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { Journal } from "../../db/journal";
import { noCrashPoints } from "../adapters/crash-points";
import { type PackageFault, readPackage } from "../adapters/workflow/read-package";
import { writePackage } from "../adapters/workflow/write-package";
import { objectionToFolder } from "../compose/folder-to-fill";
import { manifestNamed, OWN_WORKFLOWS } from "../compose/own-workflows";
import { definitionHash } from "../domain/definition";
import { type JudgedAction, judgeWorkflow, workflowVerdict } from "../domain/judge-workflow";
import { validateWorkflow } from "../domain/validate-workflow";
import type { WorkflowPackage } from "../domain/workflow-package";
import { allScenarios } from "../sandbox/scenarios/all";
import { DEFINITION_HELP, judgementInWords, readmeOf } from "./definition-words";
import { findWorkspace } from "./find-workspace";
import { nowIn, openToWrite, placeOfWorkspace, type Wrong } from "./open-to-write";
import type { Streams } from "./streams";

interface Call {
  act: string;
  names: readonly string[];
  out: string | null;
  json: boolean;
}

/** `definition …`: workflows as readable folders (domain 13). @returns 0 only when it was done and nothing is wrong */
export function definitionCommand(args: readonly string[], templateDir: string, streams: Streams): number {
  const call = readCall(args);
  if (call === null) {
    streams.out(DEFINITION_HELP);
    return 0;
  }
  const wrong = "wrong" in call ? call : carryOut(call, templateDir, streams);
  if (wrong === null) return 0;
  if (wrong.wrong !== "") streams.err(`definition: ${wrong.wrong}\n`);
  return wrong.code;
}

function readCall(args: readonly string[]): Call | Wrong | null {
  try {
    const options = { out: { type: "string" }, json: { type: "boolean" }, help: { type: "boolean" } } as const;
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    const [act, ...names] = positionals;
    if (values.help || act === undefined) return null;
    return { act, names, out: values.out ?? null, json: values.json === true };
  } catch (error) {
    if (error instanceof TypeError) return { wrong: `${error.message}; see definition --help`, code: 2 };
    throw error;
  }
}

function carryOut(call: Call, templateDir: string, streams: Streams): Wrong | null {
  const { act, names, out } = call;
  const [first = "", second = "", ...more] = names;
  const takes: Readonly<Record<string, number>> = { list: 0, template: 0, export: 1, check: 1, import: 2 };
  const count = takes[act];
  if (count === undefined) return { wrong: `there is no "${act}": list, template, export, check or import`, code: 2 };
  if (names.length !== count || more.length > 0)
    return { wrong: `${act} takes ${count} name(s) and got ${names.length}; see definition --help`, code: 2 };
  if ((act === "template" || act === "export") !== (out !== null))
    return { wrong: out === null ? `${act} needs --out DIR` : `${act} takes no --out`, code: 2 };
  switch (act) {
    case "list":
      return list(call, streams);
    case "template":
      return fill(out ?? "", (dir) => {
        mkdirSync(dir, { recursive: true });
        cpSync(templateDir, dir, { recursive: true });
      });
    case "export":
      return exportOwn(first, out ?? "");
    case "check":
      return check(first, call, streams, () => null);
    default:
      return check(first, call, streams, (read) => register(read, second));
  }
}

function list({ json }: Call, streams: Streams): null {
  const shown = OWN_WORKFLOWS.map(({ definition, actions }) => ({
    ...{ name: definition.name, version: definition.version, hash: definitionHash(definition) },
    verdict: workflowVerdict(judgeWorkflow(actions, manifestNamed)),
  }));
  const lines = shown.map(({ name, version, verdict }) => `${name} ${version}: ${verdict.replaceAll("_", " ")}\n`);
  streams.out(json ? `${JSON.stringify({ workflows: shown })}\n` : lines.join(""));
  return null;
}

function fill(named: string, write: (dir: string) => void): Wrong | null {
  const dir = resolve(named);
  const objection = objectionToFolder(dir);
  if (objection !== null) return { wrong: `--out: ${objection}`, code: 2 };
  write(dir);
  return null;
}

function exportOwn(name: string, out: string): Wrong | null {
  const found = OWN_WORKFLOWS.find(({ definition }) => definition.name === name);
  const names = OWN_WORKFLOWS.map(({ definition }) => definition.name).join(", ");
  if (!found) return { wrong: `this program runs no workflow "${name}"; it runs ${names}`, code: 2 };
  return fill(out, (dir) => writePackage(dir, found, readmeOf(found)));
}

/** Reads, checks and judges a package, then does with it what is asked; what is wrong is told whole, and nothing is done. */
function check(
  named: string,
  { json }: Call,
  streams: Streams,
  then: (read: WorkflowPackage) => Wrong | null,
): Wrong | null {
  const dir = resolve(named);
  if (!statSync(dir, { throwIfNoEntry: false })?.isDirectory()) return { wrong: `there is no folder ${dir}`, code: 2 };
  const read = readPackage(dir);
  const faults: PackageFault[] = "faults" in read ? read.faults : validateWorkflow(read.package, SCENARIOS);
  if (faults.length > 0 || "faults" in read) {
    tell(streams, json, { valid: false, faults }, faults.map(faultInWords).join(""));
    return { wrong: "", code: 1 };
  }
  const judged = judgeWorkflow(read.package.actions, manifestNamed);
  const refused = then(read.package);
  if (refused !== null) return refused;
  const verdict = workflowVerdict(judged);
  tell(streams, json, told(read.package, verdict, judged), judgementInWords(nameOf(read.package), verdict, judged));
  return null;
}

const SCENARIOS: ReadonlySet<string> = new Set(allScenarios.map(({ id }) => id));
const nameOf = ({ definition }: WorkflowPackage): string => `${definition.name} ${definition.version}`;
const faultInWords = ({ file, field, wrong }: PackageFault): string =>
  `${[file, field].filter((part) => part !== "").join(": ")}: ${wrong}\n`;

function told(read: WorkflowPackage, verdict: string, actions: readonly JudgedAction[]) {
  const { name, version } = read.definition;
  return { valid: true, name, version, hash: definitionHash(read.definition), verdict, actions };
}

function tell(streams: Streams, json: boolean, value: unknown, words: string): void {
  streams.out(json ? `${JSON.stringify(value)}\n` : words);
}

/** Puts a definition into a workspace's journal, beside those of this program. The same one again changes nothing. */
function register({ definition }: WorkflowPackage, workspace: string): Wrong | null {
  const found = findWorkspace(workspace);
  if ("wrong" in found) return { wrong: found.wrong, code: 2 };
  const place = placeOfWorkspace(found.dir);
  if ("wrong" in place) return place;
  const opened = openToWrite(place);
  if ("wrong" in opened) return opened;
  const { database } = opened;
  try {
    const own = OWN_WORKFLOWS.map((workflow) => workflow.definition);
    const now = nowIn(place, database);
    const journal = new Journal({
      ...{ sqlite: database.sqlite, definitions: [...own, definition], crash: noCrashPoints, now: () => now },
    });
    const refused = journal.refusedDefinitions.find(({ name }) => name === definition.name);
    if (refused === undefined) return null;
    const { name, version } = definition;
    if (refused.code === "unavailable")
      return { wrong: `not registered: ${found.dir} cannot be written; make room, or close whoever has it`, code: 1 };
    return {
      wrong: `not registered: the journal has another ${name} ${version}; raise the version in definition.json`,
      code: 1,
    };
  } finally {
    database.close();
  }
}
