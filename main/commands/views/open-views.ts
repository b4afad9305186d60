import type { Input, Output } from "../../../preload/contract";
import { compensationView } from "./compensation";
import { contentReviewView } from "./content-review";
import { draftView, pickedQuoteView, weighedDraftView } from "./draft-editor";
import { Extractions } from "./extractions";
import { healthView } from "./health";
import { incidentsView, incidentView } from "./incident";
import { allLedgerRows, ledgerFacts, ledgerRows, ledgerView } from "./ledger";
import { PageProofs } from "./page-proof";
import { recoveryView } from "./recovery";
import { runView } from "./run";
import { sendReviewView } from "./send-review";
import { snapshotView } from "./snapshot";
import { todayView } from "./today";
import type { ViewPorts } from "./view-ports";

/** The answers to every channel that only reads, by the screen that asks. */
export interface Views {
  today(): Output<"today.get">;
  contentReview(asked: Input<"contentReview.get">): Promise<Output<"contentReview.get">>;
  snapshot(asked: Input<"contentReview.snapshot">): Promise<Output<"contentReview.snapshot">>;
  draft(asked: Input<"draft.get">): Output<"draft.get">;
  pickQuote(asked: Input<"draft.pick">): Output<"draft.pick">;
  weighDraft(asked: Input<"draft.weigh">): Output<"draft.weigh">;
  sendReview(asked: Input<"sendReview.get">): Output<"sendReview.get">;
  run(asked: Input<"run.get">): Promise<Output<"run.get">>;
  compensation(asked: Input<"compensation.get">): Output<"compensation.get">;
  recovery(asked: Input<"recovery.get">): Output<"recovery.get">;
  health(asked: Input<"health.get">): Output<"health.get">;
  incidents(): Output<"incident.list">;
  incident(asked: Input<"incident.get">): Output<"incident.get">;
  ledger(asked: Input<"ledger.get">): Output<"ledger.get">;
  ledgerRows(taskIds: readonly string[]): Output<"ledger.rows">["rows"];
  ledgerFacts(taskId: string): Output<"ledger.facts">;
  allLedgerRows(asked: Input<"ledger.get">): Promise<Output<"ledger.rows">["rows"]>;
}

/** Wires the screens' views to one workspace; what is costly to derive from frozen bytes is kept between two questions. */
export function openViews(ports: ViewPorts): Views {
  const extractions = new Extractions(ports);
  const proofs = new PageProofs(ports);
  return {
    today: () => todayView(ports),
    contentReview: (asked) => contentReviewView(ports, extractions, asked),
    snapshot: (asked) => snapshotView(ports, extractions, asked),
    draft: (asked) => draftView(ports, asked),
    pickQuote: (asked) => pickedQuoteView(ports, asked),
    weighDraft: (asked) => weighedDraftView(ports, asked),
    sendReview: (asked) => sendReviewView(ports, proofs, asked),
    run: (asked) => runView(ports, asked),
    compensation: (asked) => compensationView(ports, asked),
    recovery: (asked) => recoveryView(ports, asked),
    health: (asked) => healthView(ports, asked),
    incidents: () => incidentsView(ports),
    incident: (asked) => incidentView(ports, asked),
    ledger: (asked) => ledgerView(ports, asked),
    ledgerRows: (taskIds) => ledgerRows(ports, taskIds),
    ledgerFacts: (taskId) => ledgerFacts(ports, taskId),
    allLedgerRows: (asked) => allLedgerRows(ports, asked),
  };
}
