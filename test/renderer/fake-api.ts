import { type Api, type Channel, contract, type Input, type Output, type PushEvent } from "../../preload/contract";
import { inbox } from "./fixtures/alerts";
import { boot, fakeHash, NOW, TASK } from "./fixtures/common";
import { plannedUndo, seen } from "./fixtures/compensation";
import { contentReview, snapshots } from "./fixtures/content";
import { draft, weighed } from "./fixtures/draft";
import { idle, RUN } from "./fixtures/drills";
import { evidence, plan } from "./fixtures/evidence";
import { healthy } from "./fixtures/health";
import { duplicate, incident, incidents } from "./fixtures/incidents";
import { facts, ledgerOf, rows, rowsOf } from "./fixtures/ledger";
import { reconciliation } from "./fixtures/reconciliation";
import { board } from "./fixtures/recovery";
import { observationRun, unknownRun } from "./fixtures/run";
import { sandbox } from "./fixtures/sandbox";
import { sendReview } from "./fixtures/send";
import { backups, chosen, ready, settings } from "./fixtures/settings";
import { today } from "./fixtures/today";

type Answers = { [C in Channel]: (input: Input<C>) => Output<C> | Promise<Output<C>> };

const applied = (state: string) => () => ({ result: "applied", state, stateVersion: 10 }) as const;

/** One realistic answer per channel. The clock and the faults are the only things that this main process remembers. */
const usualAnswers = (): Answers => {
  let panel = sandbox;
  let keeps = 2;
  return {
    "app.bootstrap": () => boot,
    "app.setPreferences": (change) => ({ ...boot.preferences, ...change }),
    "app.retryOpen": () => boot,
    "app.showFolder": () => ({}),
    "workspace.openSandbox": () => boot,
    "workspace.openLedger": () => ({ ...boot, ledger: { ...boot.ledger, state: "building", of: 30 } }),
    "workspace.cancelLedger": () => boot,
    "today.get": () => today,
    "edition.start": applied("created"),
    "contentReview.get": ({ compareWith }) => ({
      ...contentReview,
      ...(compareWith ? { comparedWith: { ...contentReview.comparedWith, choice: compareWith } } : {}),
    }),
    "contentReview.snapshot": ({ hash }) => snapshots[hash] ?? null,
    "contentReview.approve": applied("content_approved"),
    "contentReview.reject": applied("drafting"),
    "draft.get": () => draft,
    "draft.pick": ({ span }) => ({
      kind: "picked",
      quote: (snapshots[span.snapshotHash]?.text ?? "").slice(span.start, span.end),
      ...{ url: "https://orbit.example/changes/1", sourceId: "orbit", sourceTitle: "Orbit Cloud Status" },
    }),
    "draft.weigh": () => weighed,
    "draft.keep": () => ({ result: "kept", hash: fakeHash(`working-${keeps++}`), at: NOW }),
    "draft.drop": applied("awaiting_content_approval"),
    "draft.use": applied("checking"),
    "approval.revoke": applied("blocked"),
    "sendReview.get": () => sendReview,
    "sendReview.approve": applied("sending"),
    "sendReview.reject": applied("published"),
    "sendReview.editEmail": applied("awaiting_send_approval"),
    "run.get": ({ taskId }) => (taskId === TASK ? unknownRun : observationRun),
    "run.unblock": applied("publishing"),
    "run.giveVerdict": applied("publishing"),
    "run.lookNow": applied("publishing"),
    "run.closeProtectively": applied("closed"),
    "run.closeRecipients": applied("succeeded"),
    "workflow.judge": () => ({ verdict: "automatic", reasons: [] }),
    "workflow.write": () => ({ result: "nothing_chosen" }),
    "run.startNextVersion": applied("created"),
    "run.startCompensation": applied("compensating"),
    "run.resumeCompensation": applied("compensating"),
    "run.closeCompensation": applied("compensating"),
    "compensation.get": () => plannedUndo,
    "compensation.look": ({ compensationId }) => ({
      ...{ compensationId, at: NOW, kind: "holds", code: null },
      seen: seen({ remote: "published", remoteId: "18427", revision: 30 }),
    }),
    "incident.list": () => incidents,
    "incident.get": ({ incidentId }) => [incident, duplicate].find(({ id }) => id === incidentId) ?? null,
    "incident.open": applied("publishing"),
    "incident.passStep": applied("publishing"),
    "incident.note": applied("publishing"),
    "incident.pin": applied("publishing"),
    "incident.settle": applied("publishing"),
    "incident.close": applied("blocked"),
    "health.get": ({ days }) => ({ ...healthy, days }),
    "settings.get": () => settings,
    "settings.resumeSchedule": () => ({ result: "resumed" }),
    "audience.choose": () => chosen,
    "audience.preview": () => ready,
    "audience.import": () => ({ result: "imported", count: ready.count, importVersion: 5 }),
    "audience.suppress": applied(""),
    "audience.release": applied(""),
    "backups.get": () => backups,
    "backups.choose": () => ({ result: "chosen" }),
    "backups.turnOff": () => ({ result: "chosen" }),
    "backups.setKeep": () => ({ result: "chosen" }),
    "backups.start": () => ({ ...backups, running: { step: "blobs", done: 3, of: 40 } }),
    "backups.cancel": () => backups,
    "backups.show": () => ({}),
    "ledger.get": () => ledgerOf(rows),
    "ledger.rows": ({ taskIds }) => rowsOf(rows, taskIds),
    "ledger.facts": () => facts,
    "ledger.export": () => ({ result: "saved", file: "/home/lin/ledger.csv", rows: rows.length }),
    "reconciliation.get": () => reconciliation,
    "reconciliation.start": () => reconciliation,
    "alerts.get": () => inbox,
    "alerts.acknowledge": applied("blocked"),
    "alerts.snooze": applied("blocked"),
    "recovery.get": () => board,
    "recovery.move": applied("succeeded"),
    "sandbox.get": () => panel,
    "sandbox.addFault": (fault) => {
      panel = { ...panel, faults: [...panel.faults, { ...fault, id: String(panel.faults.length + 1), fired: 0 }] };
      return panel;
    },
    "sandbox.clearFaults": () => {
      panel = { ...panel, faults: [] };
      return panel;
    },
    "sandbox.configure": (change) => {
      panel = { ...panel, ...change };
      return panel;
    },
    "sandbox.setClock": ({ skipsWaiting, advanceMs = 0 }) => {
      const { clock } = panel;
      panel = {
        ...panel,
        clock: { ...clock, now: clock.now + advanceMs, skipsWaiting: skipsWaiting ?? clock.skipsWaiting },
      };
      return panel.clock;
    },
    "drills.get": () => idle,
    "drills.start": () => ({ result: "started", run: RUN }),
    "drills.cancel": () => ({ result: "cancelled" }),
    "drills.judge": () => ({ result: "noted", drills: idle }),
    "drills.answer": () => ({ result: "taken" }),
    "evidence.get": () => evidence,
    "evidence.plan": () => plan,
    "evidence.export": () => ({ result: "started" }),
    "evidence.open": () => ({ result: "started" }),
    "evidence.cancel": () => ({}),
    "evidence.putAway": () => ({}),
    "evidence.check": () => ({}),
    "evidence.makeKey": () => ({}),
    "evidence.saveAllowedSigners": () => ({ result: "saved" }),
    "evidence.registerKey": () => ({ result: "registered" }),
    "evidence.exportKey": () => ({ result: "saved" }),
    "evidence.cancelSigning": () => ({}),
    "evidence.findAgentKeys": () => ({}),
    "evidence.setTimestampServer": () => ({ result: "saved" }),
  };
};

export interface FakeApi extends Api {
  /** Every question asked, in order. */
  calls: { channel: Channel; input: unknown }[];
  /** Replaces answers. An answer of the wrong shape is allowed here: the bridge has to survive it. */
  answer<C extends Channel>(channel: C, answer: (input: Input<C>) => unknown): void;
  push(event: PushEvent, value: unknown): void;
  of(channel: Channel): unknown[];
}

/** A main process that answers from fixtures, checks every question against the contract, and remembers what was asked. */
export function makeFakeApi(): FakeApi {
  const answers = new Map<Channel, (input: never) => unknown>(
    Object.entries(usualAnswers()) as [Channel, (input: never) => unknown][],
  );
  const listeners = new Map<PushEvent, Set<(value: unknown) => void>>();
  const calls: FakeApi["calls"] = [];
  return {
    calls,
    of: (channel) => calls.filter((call) => call.channel === channel).map((call) => call.input),
    answer: (channel, answer) => void answers.set(channel, answer as (input: never) => unknown),
    push: (event, value) => {
      for (const listener of listeners.get(event) ?? []) listener(value);
    },
    invoke: async (channel, input) => {
      calls.push({ channel, input });
      const parsed = contract[channel].input.safeParse(input);
      if (!parsed.success) throw new Error(`the question to ${channel} breaks the contract: ${parsed.error.message}`);
      return (answers.get(channel) as (input: unknown) => unknown)(parsed.data);
    },
    on: (event, listener) => {
      const set = listeners.get(event) ?? new Set();
      set.add(listener);
      listeners.set(event, set);
      return () => void set.delete(listener);
    },
  };
}
