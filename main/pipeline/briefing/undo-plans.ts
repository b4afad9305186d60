import type { CompensationPlan } from "../../domain/compensation";
import type { CompensationStep } from "../../domain/compensation-step";
import type { Sha256 } from "../../domain/ids";
import type { TaskView } from "../../domain/view";
import type { BriefingPorts } from "./ports";

/**
 * What the briefing's writes are undone by, written down before each of them (I07). Undone last in first out that is the plan
 * of domain 9: stop the automatic sending, point the site back, prove the page at its origin and past caches and redirects,
 * and only then decide how the customers are told.
 */
export type UndoStep =
  | "take_page_down"
  | "point_page_back"
  | "origin_asked"
  | "public_page_proved"
  | "stop_campaign"
  | "campaign_asked"
  | "tell_customers";

const steps = (call: UndoStep, ...proofs: readonly UndoStep[]): CompensationStep[] => [
  { name: call, kind: "call" },
  ...proofs.map((name): CompensationStep => ({ name, kind: "proof" })),
];

/** The page as it was before: not there for readers, or with the content that an earlier version had approved. */
export function pageUndo(
  ports: BriefingPorts,
  view: TaskView,
  slot: string,
  before: { contentHash: Sha256 | null; packageHash: Sha256 | null } | null,
): CompensationPlan {
  const common = {
    service: ports.cms.name,
    precondition: "page_still_has_this_content",
    owner: view.definition.owner,
    verification: "public_page_fetched",
    timeoutMs: ports.cms.adapter.manifest.callTimeoutMs,
    grade: ports.cms.adapter.manifest.compensation.grade,
  };
  if (before === null)
    return {
      ...common,
      action: "take_page_down",
      args: { slot, targetState: "draft" },
      steps: steps("take_page_down", "origin_asked", "public_page_proved"),
    };
  const { contentHash, packageHash } = before;
  const args = { slot, targetState: "previous_content", previousContentHash: contentHash };
  const action = "point_page_back";
  // Bytes that nobody here has approved are not put back by a program.
  if (packageHash === null)
    return { ...common, action, args, grade: "C", steps: [{ name: "point_page_back", kind: "person" }] };
  return {
    ...common,
    action,
    args: { ...args, previousPackageHash: packageHash },
    steps: steps("point_page_back", "origin_asked", "public_page_proved"),
  };
}

const campaign = (ports: BriefingPorts, view: TaskView) => ({
  service: ports.mail.name,
  owner: view.definition.owner,
  timeoutMs: ports.mail.adapter.manifest.callTimeoutMs,
});

/** The campaign as far as it can be held back: nothing of it is mailed any more by itself. */
export const campaignUndo = (ports: BriefingPorts, view: TaskView, slot: string): CompensationPlan => ({
  ...campaign(ports, view),
  action: "stop_campaign",
  args: { slot, targetState: "cancelled" },
  grade: "B",
  precondition: "campaign_still_has_this_body",
  verification: "campaign_state_asked",
  steps: steps("stop_campaign", "campaign_asked"),
});

/** What was mailed stays mailed: a person decides how the customers are told, after the proof (grade C). */
export const mailingUndo = (ports: BriefingPorts, view: TaskView, slot: string): CompensationPlan => ({
  ...campaign(ports, view),
  action: "tell_customers",
  args: { slot, targetState: "customers_told" },
  grade: "C",
  precondition: "public_page_proved",
  verification: "note_and_link",
  steps: [{ name: "tell_customers", kind: "person", waitsForOthers: true }],
});
