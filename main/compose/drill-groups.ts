import type { Output } from "../../preload/contract";
import { ledDrillOf } from "../domain/drill-led";
import { baselines, scenarioGroups } from "../sandbox/scenarios/all";
import type { Scenario } from "../sandbox/scenarios/stage";

type Group = Output<"drills.get">["groups"][number];

const shownPart = ({ id, title, given, fault, expected }: Scenario): Group["scenarios"][number] => ({
  id,
  title,
  given,
  fault,
  expected,
  isLed: ledDrillOf(id) !== null,
});

/** The scenarios as a screen lists them: the twelve groups of faults, then what must hold without any. */
export const drillGroups: Group[] = [
  ...scenarioGroups.map(({ number, title, scenarios }) => ({ number, title, scenarios: scenarios.map(shownPart) })),
  { number: 0, title: { "zh-CN": "基线", en: "Baselines" }, scenarios: baselines.map(shownPart) },
];
