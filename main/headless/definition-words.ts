import type { ActionReason, ActionVerdict, JudgedAction } from "../domain/judge-workflow";
import type { WorkflowPackage } from "../domain/workflow-package";

export const DEFINITION_HELP = `definition: workflows as folders that people can read, check and hand on

  definition list [--json]                   the workflows that this program runs
  definition template --out DIR              an empty one to fill in, with the five questions for each external action
  definition export NAME --out DIR           one of this program's
  definition check DIR [--json]              what may happen by itself, in parts or by hand alone, and why
  definition import DIR WORKSPACE [--json]   registers it in a workspace: tasks keep the version that they began with

  --out DIR  a folder that does not exist yet, or is empty
  --json     one JSON object on standard output

Exit 0 only when it was done and, for check and import, nothing in the folder is wrong.
`;

const VERDICTS: Readonly<Record<ActionVerdict, string>> = {
  automatic: "may happen by itself",
  in_parts: "a person stands in between",
  draft_and_manual: "the program prepares it, a person acts and keeps the receipt",
};

/** Why, for whoever fills in the package. */
export function reasonInWords(reason: ActionReason): string {
  switch (reason.code) {
    case "answers_missing":
      return `not answered: ${reason.answers.join(", ")}`;
    case "adapter_missing":
      return `this program has no adapter ${reason.adapter}`;
    case "answers_differ":
      return `the adapter itself answers otherwise: ${reason.answers.join(", ")}`;
    case "not_covered":
      return "nobody could ask what became of it: neither is its key heeded, nor can it be looked up by it";
    case "grade_d":
      return "grade D: it cannot be undone, and never happens in an automatic chain";
    case "order":
      return reason.split;
  }
}

/** @returns a line for each action and one for the whole, as a person reads them. */
export function judgementInWords(name: string, verdict: ActionVerdict, judged: readonly JudgedAction[]): string {
  const lines = judged.flatMap(({ action, verdict: own, reasons }) => [
    `  ${action}: ${VERDICTS[own]}`,
    ...reasons.map((reason) => `      ${reasonInWords(reason)}`),
  ]);
  return `${[`${name}: ${VERDICTS[verdict]}`, ...lines].join("\n")}\n`;
}

/** What is put beside an exported package for people. */
export function readmeOf({ definition, actions, subject }: WorkflowPackage): { en: string; "zh-CN": string } {
  const { name, version, owner, backupOwner } = definition;
  const rows = actions.map(
    ({ name: action, step, adapter, grade }) => `| ${action} | ${step} | ${adapter} | ${grade} |`,
  );
  const en = [
    `# ${name}, version ${version}`,
    "",
    `About: ${subject.title.en}. Owner: ${owner}; backup: ${backupOwner}.`,
    "",
    "| action | stage | adapter | grade of its undo |",
    "| --- | --- | --- | --- |",
    ...rows,
    "",
    "`definition.json` is what its hash in `workflow.json` is of; `actions.json` answers the five questions for each action.",
    "Check it with `npm run -s definition -- check DIR`; register it with `npm run -s definition -- import DIR WORKSPACE`.",
  ];
  const zh = [
    `# ${name}，第 ${version} 版`,
    "",
    `对象：${subject.title["zh-CN"]}。负责人：${owner}；后备：${backupOwner}。`,
    "",
    "| 动作 | 阶段 | 适配器 | 撤销等级 |",
    "| --- | --- | --- | --- |",
    ...rows,
    "",
    "`workflow.json` 中的哈希即 `definition.json` 的哈希；`actions.json` 为每个动作回答五个问题。",
    "检查：`npm run -s definition -- check DIR`；登记：`npm run -s definition -- import DIR WORKSPACE`。",
  ];
  return { en: `${en.join("\n")}\n`, "zh-CN": `${zh.join("\n")}\n` };
}
