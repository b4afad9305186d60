import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { z } from "zod";
import { definitionHash, type PipelineDefinition } from "../../domain/definition";
import type { WorkflowPackage } from "../../domain/workflow-package";
import { actionsSchema, definitionSchema, workflowSchema } from "./package-schema";

/** The files of a package. The two for people are read by people alone. */
export const PACKAGE_FILES = [
  "workflow.json",
  "definition.json",
  "actions.json",
  "README.md",
  "README.zh-CN.md",
] as const;

/** What stands against reading a package: which file, which field, and what to do. */
export interface PackageFault {
  file: string;
  field: string;
  wrong: string;
}

/** Far more than any workflow needs (bytes): more is something else. */
const MAX_BYTES = 1_048_576;

/**
 * Reads a package from its folder. Nothing in it is followed anywhere: names in it are no paths, and links are refused.
 * @returns the package in the right form, or everything that is wrong with its form
 */
export function readPackage(dir: string): { package: WorkflowPackage } | { faults: PackageFault[] } {
  const known: readonly string[] = PACKAGE_FILES;
  const strange = readdirSync(dir)
    .filter((name) => !known.includes(name))
    .map((name) => ({ file: name, field: "", wrong: "belongs to no package: take it out" }));
  const workflow = readPart(dir, "workflow.json", workflowSchema);
  const definition = readPart(dir, "definition.json", definitionSchema);
  const actions = readPart(dir, "actions.json", actionsSchema);
  const faults = [...strange, ...workflow.faults, ...definition.faults, ...actions.faults];
  if (faults.length > 0 || !workflow.value || !definition.value || !actions.value) return { faults };
  const { definitionHash: meant, subject, runbooks, faults: scenarios } = workflow.value;
  // The schema is looser than the type only in the names, which the validator holds against the program's own.
  const read = definition.value as unknown as PipelineDefinition;
  const hash = definitionHash(read);
  if (meant !== null && meant !== hash) {
    const wrong = `definition.json was changed: its hash is ${hash}. Put that here, with a higher version in definition.json`;
    return { faults: [{ file: "workflow.json", field: "definitionHash", wrong }] };
  }
  const { chain } = actions.value;
  return {
    package: {
      ...{ subject, runbooks, faults: scenarios, definition: read },
      actions: actions.value.actions,
      chain: chain as WorkflowPackage["chain"],
    },
  };
}

function readPart<T>(dir: string, file: string, schema: z.ZodType<T>): { value: T | null; faults: PackageFault[] } {
  const path = join(dir, file);
  const nothing = (wrong: string) => ({ value: null, faults: [{ file, field: "", wrong }] });
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return nothing("is missing");
  if (!stat.isFile()) return nothing("is no plain file");
  if (stat.size > MAX_BYTES) return nothing(`is longer than ${MAX_BYTES} bytes`);
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return nothing(`is no JSON: ${error.message}`);
  }
  const parsed = schema.safeParse(json);
  if (parsed.success) return { value: parsed.data, faults: [] };
  const faults = parsed.error.issues.map(({ path: at, message }) => ({ file, field: fieldOf(at), wrong: message }));
  return { value: null, faults };
}

const fieldOf = (path: readonly PropertyKey[]): string =>
  path.reduce<string>(
    (field, part) =>
      typeof part === "number" ? `${field}[${part}]` : `${field}${field === "" ? "" : "."}${String(part)}`,
    "",
  );
