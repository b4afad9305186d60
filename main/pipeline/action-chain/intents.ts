import { type Chain, type ChainAction, messageText } from "../../domain/action-chain";
import type { OperationIntent } from "../../domain/commands";
import type { CompensationPlan } from "../../domain/compensation";
import { HASH_RULE_VERSION } from "../../domain/hash-rule";
import { sha256 } from "../../domain/hashing";
import { effectIntentKey, slotOf } from "../../domain/keys";
import type { ExternalWrite } from "../../domain/metrics-coverage";
import type { OperationRow } from "../../domain/records";
import type { TaskView } from "../../domain/view";
import { NOTHING_BOUND } from "../../engine/undo-look";
import { type ChainPorts, type ChainService, subjectOf } from "./ports";

const placeOf = (slot: string): string => slot.slice(slot.lastIndexOf(":") + 1);

/** Every external write of a chain, for its coverage (domain 11). */
export const chainWrites = ({ stage: step, actions }: Chain): ExternalWrite[] =>
  actions.map(({ service: adapter, phase }) => ({ step, adapter, phase }));

/** The action of a chain that an operation carries out. @throws Error where the chain has none in its place. */
export function actionOf(chain: Chain, operation: Pick<OperationRow, "slot">): ChainAction {
  const place = placeOf(operation.slot);
  const found = chain.actions.find((action) => action.place === place);
  if (!found) throw new Error(`the chain has no action at ${place}`);
  return found;
}

/**
 * The actions in their order, each with its undo.
 * @param previousState what was read when the chain began: the state that an undo `as_before` names
 */
export function chainIntents(
  ports: Pick<ChainPorts, "serviceOf">,
  chain: Chain,
  view: TaskView,
  previousState: string,
): OperationIntent[] {
  const { task } = view;
  const subject = subjectOf(task);
  return chain.actions.map((action, index) => {
    const service = ports.serviceOf(action.service);
    const { name, place, phase, message } = action;
    return {
      intentKey: effectIntentKey(task.taskKey, task.taskVersion, name),
      kind: "effect",
      slot: slotOf("effect", task.taskKey, place),
      recipientId: null,
      hashes: message === null ? NOTHING_BOUND : { ...NOTHING_BOUND, contentHash: sha256(messageText(message, task)) },
      hashRuleVersion: HASH_RULE_VERSION,
      automatic: true,
      phase,
      adapter: service.name,
      target: service.urlOf(place, subject),
      after: index === 0 ? null : index - 1,
      compensation: undoPlan(view, action, service, previousState),
    };
  });
}

function undoPlan(
  view: TaskView,
  { undo }: ChainAction,
  service: ChainService,
  previousState: string,
): CompensationPlan {
  const { manifest } = service.adapter;
  const { action, precondition, verification } = undo;
  const targetState = undo.targetState === "as_before" ? previousState : undo.targetState;
  return {
    ...{ service: service.name, owner: view.definition.owner, timeoutMs: manifest.callTimeoutMs },
    ...{ grade: manifest.compensation.grade, action, precondition, verification },
    args: { subject: subjectOf(view.task), targetState },
    steps:
      undo.by === "person"
        ? [{ name: action, kind: "person", waitsForOthers: true }]
        : [
            { name: action, kind: "call" },
            { name: verification, kind: "proof" },
          ],
  };
}
