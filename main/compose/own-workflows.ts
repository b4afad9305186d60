import { cmsSandboxManifest } from "../adapters/cms/sandbox";
import { mailSandboxManifest } from "../adapters/mail/sandbox";
import { membershipSandboxManifest } from "../adapters/services/membership";
import { messagesSandboxManifest } from "../adapters/services/messages";
import type { CompensationGrade } from "../domain/compensation-grade";
import type { PipelineDefinition } from "../domain/definition";
import { COMPENSATION_SCENARIOS, RECOVERY_SCENARIOS } from "../domain/drill-duty";
import type { AdapterManifest, OperationPhase } from "../domain/ports";
import { RUNBOOKS } from "../domain/runbooks";
import type { WorkflowAction, WorkflowPackage } from "../domain/workflow-package";
import { briefingDefinition } from "../pipeline/briefing/definition";
import { MEMBERS, membershipChain } from "../pipeline/membership-cancellation/chain";
import { membershipDefinition } from "../pipeline/membership-cancellation/definition";

/** The definition as it is written down: what names a task and what it may do are words there, not types. */
export const asWritten = (definition: unknown): PipelineDefinition => definition as PipelineDefinition;

const runbooks = Object.values(RUNBOOKS).map(({ kind, version }) => ({ kind, version }));

function actionOf(
  manifest: AdapterManifest,
  about: { name: string; step: string; phase: OperationPhase; segment: string | null; grade?: CompensationGrade },
): WorkflowAction {
  const { key, query, retry, approvalBinds, compensation } = manifest;
  const { name, step, phase, segment, grade = compensation.grade } = about;
  return {
    ...{ name, step, adapter: manifest.name, phase, grade, segment },
    answers: { key, query, retry, approvalBinds: [...approvalBinds], compensation },
  };
}

/** The briefing: a page behind its gate; a campaign that can be held back, and its start, last. */
const briefing: WorkflowPackage = {
  subject: { title: { en: "ISO week of the edition", "zh-CN": "刊期（ISO 周）" }, pattern: "^\\d{4}-W\\d{2}$" },
  definition: asWritten(briefingDefinition),
  actions: [
    ...(["create", "update", "publish"] as const).map((phase) =>
      actionOf(cmsSandboxManifest, { name: `page_${phase}`, step: "publishing", phase, segment: null }),
    ),
    actionOf(mailSandboxManifest, {
      ...{ name: "campaign_create", step: "sending", phase: "create", segment: "mailing", grade: "B" },
    }),
    actionOf(mailSandboxManifest, { name: "campaign_start", step: "sending", phase: "trigger", segment: "mailing" }),
  ],
  chain: null,
  runbooks,
  faults: [...RECOVERY_SCENARIOS].sort(),
};

const membership: WorkflowPackage = {
  subject: { title: { en: "Member id", "zh-CN": "会员编号" }, pattern: "^U-\\d{1,9}$" },
  definition: asWritten(membershipDefinition),
  actions: membershipChain.actions.map(({ name, phase, service }) =>
    actionOf(service === MEMBERS ? membershipSandboxManifest : messagesSandboxManifest, {
      ...{ name, step: membershipChain.stage, phase, segment: membershipChain.stage },
    }),
  ),
  chain: membershipChain,
  runbooks,
  faults: COMPENSATION_SCENARIOS,
};

const manifests = [cmsSandboxManifest, mailSandboxManifest, membershipSandboxManifest, messagesSandboxManifest];

/** How an adapter of this program answers the five questions; null: it has none of that name. */
export const manifestNamed = (name: string): AdapterManifest | null =>
  manifests.find((manifest) => manifest.name === name) ?? null;

/** The workflows that this program runs, as packages. */
export const OWN_WORKFLOWS: readonly WorkflowPackage[] = [briefing, membership];
