import { type ContentTab, useContentReview } from "../../../renderer/stores/content-review";
import { useDrills } from "../../../renderer/stores/drills";
import { useEvidence } from "../../../renderer/stores/evidence";
import type { Place } from "../../../renderer/stores/nav";
import { type RunSide, useRun } from "../../../renderer/stores/run";
import { useSettings } from "../../../renderer/stores/settings";
import type { FakeApi } from "../fake-api";
import { emptyInbox } from "../fixtures/alerts";
import { boot, TASK } from "../fixtures/common";
import { byHandUndo, endedUndo, overwrittenUndo, plannedUndo } from "../fixtures/compensation";
import { approvedReview, contentReview } from "../fixtures/content";
import { blockedDraft, draft, hostileSnapshot, unfinishedDraft } from "../fixtures/draft";
import { closing, deciding, led, playedByPerson } from "../fixtures/drill-question";
import { blocked, broken, cancelled, idle, played, RUN, running, steps } from "../fixtures/drills";
import { bundle, evidence, plan, refused, untouched, valid } from "../fixtures/evidence";
import { unused } from "../fixtures/health";
import { ledgerOf } from "../fixtures/ledger";
import { answerManyEditions, answerManyEvents } from "../fixtures/many";
import { board, emptyBoard, looked } from "../fixtures/recovery";
import { blockedRun, observationRun, succeededRun, unknownRun } from "../fixtures/run";
import { badRows, chosen, ready } from "../fixtures/settings";
import { emptyToday } from "../fixtures/today";

interface Scene {
  place?: Place;
  prepare?: (api: FakeApi, preferences: { language: "en" | "zh-CN"; theme: "light" | "dark" }) => void;
}

const problem = (code: string) => (api: FakeApi, preferences: { language: "en" | "zh-CN"; theme: "light" | "dark" }) =>
  api.answer("app.bootstrap", () => ({
    ...boot,
    preferences,
    workspace: null,
    problem: {
      code,
      path: "/home/lin/Imprimatur/sandbox/journal.sqlite",
      detail: "SQLITE_CORRUPT: database disk image is malformed (11)",
    },
  }));

const taskId = TASK;
const w31 = contentReview.taskId;

/** A tab is view state: the store keeps it for the edition it already shows. */
const contentTab = (tab: ContentTab): Scene => ({
  place: { screen: "content", taskId: w31 },
  prepare: () => useContentReview.setState({ taskId: w31, tab }),
});
const runSide = (side: RunSide): Scene => ({
  place: { screen: "run", taskId },
  prepare: (api) => {
    api.answer("run.get", () => succeededRun);
    useRun.setState({ taskId, side, operationId: "op-publish", rawSeq: 103 });
  },
});

/** The drills with these results, looking at one scenario. */
const drills = (chosen: string, answer: Partial<typeof idle>): Scene => ({
  place: { screen: "drills" },
  prepare: (api) => {
    api.answer("drills.get", () => ({ ...idle, ...answer }));
    useDrills.setState({ chosen, steps: { [RUN]: steps } });
  },
});
const results = [played, blocked, cancelled, broken];

const undo = (shown: typeof plannedUndo): Scene => ({
  place: { screen: "compensation", taskId },
  prepare: (api) => api.answer("compensation.get", () => shown),
});

/** The audit screen with this in it. */
const audit = (shown: Partial<typeof evidence>): Scene => ({
  place: { screen: "audit" },
  prepare: (api) => api.answer("evidence.get", () => ({ ...evidence, ...shown })),
});

/** The export of a run, as far as this. */
const exporting = (shown: Partial<typeof evidence>): Scene => ({
  place: { screen: "run", taskId },
  prepare: (api) => {
    api.answer("run.get", () => succeededRun);
    api.answer("evidence.get", () => ({ ...evidence, ...shown }));
    useEvidence.setState({
      exporting: { subject: { taskId }, withBytes: true, stamp: false },
      plan: { value: plan, settled: true, loading: false, problem: null },
    });
    void useEvidence.getState().load();
  },
});

const item = (itemId: string): Scene => ({
  place: { screen: "recovery", itemId },
  prepare: (api) => api.answer("recovery.get", () => ({ ...board, history: looked })),
});

/** A list of customers whose columns are named, as far as this. */
const importing = (preview: typeof ready | typeof badRows): Scene => ({
  place: { screen: "settings" },
  prepare: () =>
    useSettings.setState({
      ...{ chosen, columns: { id: 0, address: 1, group: 3 } },
      preview: { value: preview, settled: true, loading: false, problem: null },
    }),
});

export const scenes: Record<string, Scene> = {
  today: { place: { screen: "today" } },
  "today-empty": { place: { screen: "today" }, prepare: (api) => api.answer("today.get", () => emptyToday) },
  "today-malformed": {
    place: { screen: "today" },
    prepare: (api) => api.answer("today.get", () => ({ waiting: "many" })),
  },
  content: { place: { screen: "content", taskId: w31 } },
  "content-approved": {
    place: { screen: "content", taskId: w31 },
    prepare: (api) => api.answer("contentReview.get", () => approvedReview),
  },
  "content-none": {
    place: { screen: "content", taskId: w31 },
    prepare: (api) => api.answer("contentReview.get", () => null),
  },
  "content-preview": contentTab("preview"),
  "content-diff": contentTab("diff"),
  "content-links": contentTab("links"),
  draft: { place: { screen: "draft", taskId: w31 } },
  "draft-unfinished": {
    place: { screen: "draft", taskId: w31 },
    prepare: (api) => api.answer("draft.get", () => unfinishedDraft),
  },
  "draft-blocked": {
    place: { screen: "draft", taskId: w31 },
    prepare: (api) => api.answer("draft.get", () => blockedDraft),
  },
  "draft-hostile": {
    place: { screen: "draft", taskId: w31 },
    prepare: (api) => api.answer("contentReview.snapshot", () => hostileSnapshot),
  },
  "draft-not-here": {
    place: { screen: "draft", taskId: w31 },
    prepare: (api) => {
      const unmet = [{ code: "state_is", values: { state: "publishing" } }];
      api.answer("draft.get", () => ({ ...draft, state: "publishing", canEdit: false, unmet }));
    },
  },
  send: { place: { screen: "send", taskId } },
  "run-unknown": { place: { screen: "run", taskId }, prepare: (api) => api.answer("run.get", () => unknownRun) },
  "run-blocked": { place: { screen: "run", taskId }, prepare: (api) => api.answer("run.get", () => blockedRun) },
  "run-succeeded": { place: { screen: "run", taskId }, prepare: (api) => api.answer("run.get", () => succeededRun) },
  "run-observation": {
    place: { screen: "run", taskId },
    prepare: (api) => api.answer("run.get", () => observationRun),
  },
  "run-sources": runSide("sources"),
  "run-recipients": runSide("recipients"),
  "run-evidence": runSide("evidence"),
  "compensation-plan": undo(plannedUndo),
  "compensation-none": undo({ ...plannedUndo, entries: [], mailed: 0 }),
  "compensation-overwritten": undo(overwrittenUndo),
  "compensation-by-hand": undo(byHandUndo),
  "compensation-ended": undo(endedUndo),
  incidents: { place: { screen: "incidents" } },
  incident: { place: { screen: "incidents", incidentId: "in-1" } },
  "incident-duplicate": { place: { screen: "incidents", incidentId: "in-2" } },
  "incident-gone": { place: { screen: "incidents", incidentId: "in-none" } },
  health: { place: { screen: "health" } },
  "health-unused": {
    place: { screen: "health" },
    prepare: (api) => api.answer("health.get", () => unused),
  },
  ledger: { place: { screen: "ledger" } },
  "ledger-empty": { place: { screen: "ledger" }, prepare: (api) => api.answer("ledger.get", () => ledgerOf([])) },
  "ledger-no-match": {
    place: { screen: "ledger" },
    prepare: (api) => api.answer("ledger.get", () => ({ ...ledgerOf([]), total: 31 })),
  },
  "ledger-failed": {
    place: { screen: "ledger" },
    prepare: (api) =>
      api.answer("ledger.get", () => {
        throw new Error("the journal is busy");
      }),
  },
  "ledger-compare": { place: { screen: "ledger", compare: [taskId, "t-1"] } },
  settings: { place: { screen: "settings" } },
  "settings-import": importing(ready),
  "settings-bad-rows": importing(badRows),
  alerts: { place: { screen: "alerts" } },
  "alerts-empty": {
    place: { screen: "alerts" },
    prepare: (api) => api.answer("alerts.get", () => emptyInbox),
  },
  recovery: { place: { screen: "recovery" } },
  "recovery-empty": {
    place: { screen: "recovery" },
    prepare: (api) => api.answer("recovery.get", () => emptyBoard),
  },
  "recovery-item": item("ri-letter"),
  "recovery-item-closed": item("ri-closed"),
  sandbox: { place: { screen: "sandbox" } },
  drills: { place: { screen: "drills" } },
  "drills-running": drills("S13", running),
  "drills-played": drills("S13", { results }),
  "drills-blocked": drills("S16", { results }),
  "drills-decide": drills("S13", { running: led(deciding) }),
  "drills-close": drills("S13", { running: led(closing) }),
  "drills-by-person": drills("S13", { results: [playedByPerson] }),
  "drills-failed": drills("S02", { results }),
  audit: audit({}),
  "audit-untouched": audit(untouched),
  "audit-valid": audit({ opened: valid, outcome: { kind: "opened" } }),
  "touch-key": audit({ asking: evidence.agent.keys[0] ?? null }),
  "audit-refused": audit({ opened: refused, outcome: { kind: "opened" } }),
  "export-choices": exporting({}),
  "export-running": exporting({ work: { kind: "export", label: "2026-W30", done: 64_000, of: 171_400 } }),
  "export-done": exporting({ outcome: { kind: "exported", bundle } }),
  "first-run": {
    prepare: (api, preferences) => api.answer("app.bootstrap", () => ({ ...boot, preferences, workspace: null })),
  },
  "problem-damaged": { prepare: problem("damaged") },
  "problem-newer": { prepare: problem("newer_file") },
};

/** For scrolling through; there is nothing else to see in them. */
export const longScenes: Record<string, Scene> = {
  "ledger-long": { place: { screen: "ledger" }, prepare: answerManyEditions },
  "run-long": { place: { screen: "run", taskId }, prepare: answerManyEvents },
};
