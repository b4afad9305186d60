import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Input, Output } from "../../preload/contract";
import { readPackage } from "../adapters/workflow/read-package";
import { writePackage } from "../adapters/workflow/write-package";
import { type ActionReason, judgeWorkflow } from "../domain/judge-workflow";
import { validateWorkflow } from "../domain/validate-workflow";
import type { WorkflowAction, WorkflowPackage } from "../domain/workflow-package";
import { allScenarios } from "../sandbox/scenarios/all";
import type { Handlers } from "./channel-handlers";
import { objectionToFolder } from "./folder-to-fill";
import type { ExportFiles } from "./ledger-handlers";
import { manifestNamed } from "./own-workflows";

type Wanted = Input<"workflow.write">;
type New = Wanted["action"];

/** The template lies beside the built program. */
const TEMPLATE_DIR = join(__dirname, "templates", "next-workflow");
const STEP = "working";
const SECOND_MS = 1_000;

/** The wizard for a new external action: what may be done with it as it is described, and its package in a folder of the person's. */
export function workflowHandlers(
  { chooseNew }: Pick<ExportFiles, "chooseNew">,
  templateDir = TEMPLATE_DIR,
): Pick<Handlers, "workflow.judge" | "workflow.write"> {
  return {
    "workflow.judge": (action) => judge(action),
    "workflow.write": async (wanted) => {
      const made = packageOf(wanted, templateDir);
      const faults = validateWorkflow(made, new Set(allScenarios.map(({ id }) => id)));
      if (faults.length > 0) return { result: "refused", faults };
      const folder = await chooseNew(wanted.name);
      if (folder === null) return { result: "nothing_chosen" };
      const readme = (name: string) => readFileSync(join(templateDir, name), "utf8");
      try {
        if (objectionToFolder(folder) !== null) return { result: "not_empty", folder };
        writePackage(folder, made, { en: readme("README.md"), "zh-CN": readme("README.zh-CN.md") });
        return { result: "written", folder };
      } catch {
        // The person sees that it was not written, and chooses another place.
        return { result: "failed", folder };
      }
    },
  };
}

function judge(action: New): Output<"workflow.judge"> {
  const [judged] = judgeWorkflow([actionOf(action)], manifestNamed);
  if (!judged) throw new Error("one action was judged to be none");
  return { verdict: judged.verdict, reasons: judged.reasons.map(toReason) };
}

const toReason = (reason: ActionReason): Output<"workflow.judge">["reasons"][number] => ({
  code: reason.code,
  answers: "answers" in reason ? [...reason.answers] : [],
});

/** An undo that nobody knows is one that does not exist. */
function actionOf({ name, adapter, phase, isDecided, answers }: New): WorkflowAction {
  const { key, query, retry, approvalBinds, compensation } = answers;
  return {
    ...{ name, step: STEP, adapter, phase, grade: compensation?.grade ?? "D", segment: isDecided ? null : STEP },
    answers: {
      ...{ key, retry, approvalBinds, compensation },
      query: query && {
        reliable: query.reliable,
        visibilityDelayMs: query.visibilitySeconds * SECOND_MS,
        horizonMs: query.horizonSeconds * SECOND_MS,
        keyRetentionMs: null,
        lookBudget: query.looks,
      },
    },
  };
}

/** @throws Error where the program's own template cannot be read. */
function packageOf({ name, owner, backupOwner, action }: Wanted, templateDir: string): WorkflowPackage {
  const template = readPackage(templateDir);
  if ("faults" in template) throw new Error(`the template is not in order: ${JSON.stringify(template.faults)}`);
  const { definition, chain, ...rest } = template.package;
  const blocked = Object.entries(definition.blocked).map(([reason, rule]) => [reason, { ...rule, owner }] as const);
  const { adapter: service, phase } = action;
  // What is no state to reach and no message has no chain of ours to run in: the next program version writes it.
  const isChained = chain !== null && phase === "update";
  return {
    ...rest,
    definition: { ...definition, name, owner, backupOwner, blocked: Object.fromEntries(blocked) },
    actions: [actionOf(action)],
    chain: isChained
      ? {
          ...chain,
          begins: { ...chain.begins, service },
          actions: chain.actions.map((one) => ({ ...one, name: action.name, service })),
        }
      : null,
  };
}
