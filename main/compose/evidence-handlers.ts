import type { EvidenceDesk } from "./evidence-desk";
import type { Handlers } from "./handlers";

type EvidenceChannel = Extract<keyof Handlers, `evidence.${string}`>;

/** @param editionOf what people call a task of the open workspace; null where there is no such task */
export function evidenceHandlers(
  desk: EvidenceDesk,
  editionOf: (taskId: string) => string | null,
): Pick<Handlers, EvidenceChannel> {
  const done = (act: () => void) => () => {
    act();
    return {};
  };
  return {
    "evidence.get": () => desk.get(),
    "evidence.plan": (choice) => desk.plan(choice),
    "evidence.export": (choice) => desk.export(choice, editionOf(choice.taskId)),
    "evidence.open": (wanted) => desk.open(wanted),
    "evidence.cancel": done(() => desk.cancel()),
    "evidence.putAway": done(() => desk.putAway()),
    "evidence.check": done(() => desk.check()),
    "evidence.makeKey": done(() => desk.makeKey()),
    "evidence.registerKey": (input) => desk.registerKey(input),
    "evidence.exportKey": () => desk.exportKey(),
    "evidence.saveAllowedSigners": () => desk.saveAllowedSigners(),
  };
}
