import type { CompensationStep } from "../../domain/compensation-step";
import { Bug } from "../../domain/ids";
import type { CompensationRow } from "../../domain/records";
import type { TaskView } from "../../domain/view";
import type { UndoAsked, UndoProof, UndoRuntime } from "../../engine/runtime";
import type { BriefingPorts } from "./ports";
import { askCampaign, proveCampaign } from "./undo-campaign";
import { askPage, proveOrigin, provePublicPage } from "./undo-page";
import type { UndoStep } from "./undo-plans";

type Ask = (ports: BriefingPorts, view: TaskView, entry: CompensationRow) => Promise<UndoAsked>;
type Prove = (ports: BriefingPorts, view: TaskView, entry: CompensationRow) => Promise<UndoProof>;

const ASKS: Partial<Readonly<Record<UndoStep, Ask>>> = {
  take_page_down: askPage,
  point_page_back: askPage,
  stop_campaign: askCampaign,
};

const PROOFS: Partial<Readonly<Record<UndoStep, Prove>>> = {
  origin_asked: proveOrigin,
  public_page_proved: provePublicPage,
  campaign_asked: proveCampaign,
};

/** How the briefing takes its own writes back: what is asked before each call, and what proves it afterwards (domain 9). */
export function briefingUndo(ports: BriefingPorts): UndoRuntime {
  return {
    ask: (view, entry, step) => known(ASKS, entry, step)(ports, view, entry),
    prove: (view, entry, step) => known(PROOFS, entry, step)(ports, view, entry),
  };
}

function known<T>(table: Partial<Readonly<Record<string, T>>>, entry: CompensationRow, step: CompensationStep): T {
  const found = table[step.name];
  if (found === undefined) throw new Bug(`the briefing has no undo step ${step.name} for ${entry.action}`);
  return found;
}
