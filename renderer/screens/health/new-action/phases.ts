import { wordFor } from "../../../words";

const PHASES = ["create", "update", "publish", "trigger", "deliver"] as const;

/** What an action does at its service, in words. */
export const operationPhaseChoices = (): { value: string; label: string }[] =>
  PHASES.map((value) => ({ value, label: wordFor("operationPhase", value) }));
