import type { Handlers } from "./channel-handlers";
import type { EvidenceDesk } from "./evidence-desk";
import { subjectOf } from "./evidence-subject";

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
    "evidence.export": (choice) => desk.export(subjectOf(choice, place), choice),
    "evidence.open": (wanted) => desk.open(wanted),
    "evidence.cancel": done(() => desk.cancel()),
    "evidence.putAway": done(() => desk.putAway()),
    "evidence.check": done(() => desk.check()),
    "evidence.makeKey": done(() => desk.signing.makeKey()),
    "evidence.registerKey": (input) => desk.signing.registerKey(input),
    "evidence.exportKey": () => desk.signing.exportKey(),
    "evidence.saveAllowedSigners": () => desk.signing.saveAllowedSigners(),
    "evidence.cancelSigning": done(() => desk.signing.cancelSigning()),
    "evidence.findAgentKeys": async () => {
      await desk.signing.findAgentKeys();
      return {};
    },
    "evidence.setTimestampServer": (input) => desk.signing.setTimestampServer(input),
  };
}
