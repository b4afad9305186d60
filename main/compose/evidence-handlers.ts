import type { EvidenceDesk } from "./evidence-desk";
import { subjectOf } from "./evidence-subject";
import type { Handlers } from "./handlers";

type EvidenceChannel = Extract<keyof Handlers, `evidence.${string}`>;

/** @param place what people call a task of the open workspace, and the zone by whose days a period is meant */
export function evidenceHandlers(
  desk: EvidenceDesk,
  place: Parameters<typeof subjectOf>[1],
): Pick<Handlers, EvidenceChannel> {
  const done = (act: () => void) => () => {
    act();
    return {};
  };
  return {
    "evidence.get": () => desk.get(),
    "evidence.plan": (choice) => desk.plan(subjectOf(choice, place), choice.withBytes),
    "evidence.export": (choice) => desk.export(subjectOf(choice, place), choice.withBytes),
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
