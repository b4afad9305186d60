import { existsSync, mkdirSync, renameSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { definitionHash } from "../../domain/definition";
import type { WorkflowPackage } from "../../domain/workflow-package";
import { actionsSchema, definitionSchema, workflowSchema } from "./package-schema";

/**
 * Writes a package into a folder that is not there yet or is empty: beside it first, then put in its place, so that there is the
 * whole of it or nothing. The same package is the same bytes every time.
 * @param readme what people read first, by language
 * @throws Error as the file system gives it; then nothing is left
 */
export function writePackage(dir: string, given: WorkflowPackage, readme: { en: string; "zh-CN": string }): void {
  const { definition, actions, chain, subject, runbooks, faults } = given;
  const files: Record<string, string> = {
    "workflow.json": toText(
      workflowSchema.parse({ format: 1, definitionHash: definitionHash(definition), subject, runbooks, faults }),
    ),
    "definition.json": toText(definitionSchema.parse(definition)),
    "actions.json": toText(actionsSchema.parse({ actions, chain })),
    "README.md": readme.en,
    "README.zh-CN.md": readme["zh-CN"],
  };
  const fresh = `${dir}.writing-${process.pid}`;
  try {
    mkdirSync(fresh, { recursive: true });
    for (const [name, text] of Object.entries(files)) writeFileSync(join(fresh, name), text, { flag: "wx" });
    // Only an empty folder is taken away for it.
    if (existsSync(dir)) rmdirSync(dir);
    renameSync(fresh, dir);
  } catch (error) {
    if (existsSync(fresh)) rmSync(fresh, { recursive: true });
    throw error;
  }
}

/** Parsed before: so the fields stand in the order of the form, whoever made the package. */
const toText = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
