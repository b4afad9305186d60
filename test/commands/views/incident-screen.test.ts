import { expect, test } from "vitest";
import type { Desk } from "../../../main/commands/desk";
import { settleIncident } from "../../../main/compose/settle-incident";
import type { IncidentCommand } from "../../../main/domain/incident-command";
import { Incident, Incidents } from "../../../preload/contract/incident";
import { BriefingWalk } from "../../support/briefing-walk";
import { EDITOR, World } from "../../support/world";
import { worldViews } from "../../support/world-views";

const MINUTE_MS = 60_000;

/** An edition whose publish request left without an answer, and an incident opened for it by hand. */
function unknownPublish() {
  const world = new World();
  const walk = new BriefingWalk(world).to("publishing");
  const operation = walk.operation("publish");
  walk.markSent(operation);
  walk.answer(operation.id, "unknown");
  const { id: operationId, slot } = operation;
  const { taskId } = walk;
  world.must(
    {
      ...{ type: "open_incident", taskId, rule: "by_hand", kind: "unknown_publish", scope: "slot", scopeValue: slot },
      ...{ operationId, reason: "<b>no answer</b> since nine" },
    },
    EDITOR,
  );
  const views = worldViews(world);
  const incidentId = walk.view().freezes()[0]?.id ?? "";
  const get = () => Incident.parse(views.incident({ incidentId }));
  const does = (command: Record<string, unknown>) =>
    world.execute(
      { taskId, incidentId, runbookVersion: 1, branch: null, note: "", ...command } as IncidentCommand,
      EDITOR,
    );
  return { world, walk, operation, views, incidentId, get, does };
}

test("an incident shows what is affected, its runbook with live facts in both languages, and what is still to be shown", () => {
  const { operation, views, get, world } = unknownPublish();
  const incident = get();
  expect(incident).toMatchObject({ kind: "unknown_publish", rule: "by_hand", edition: "2026-W30", openedBy: EDITOR });
  const { symptom, verification } = incident.runbook.parts;
  expect(symptom?.en).toBe(`${operation.operationKey} left and had no answer; it stands at unknown.`);
  expect(symptom?.["zh-CN"]).toContain(operation.operationKey);
  expect(verification?.en).toContain(String(operation.contentHash));
  // Where the journal knows nothing a dash stands, and no brace is left anywhere.
  expect(JSON.stringify(incident.runbook)).not.toMatch(/\{\w+\}/);
  expect(incident.finding).toBe("<b>no answer</b> since nine");
  expect(incident.queued).toMatchObject([{ key: operation.operationKey, state: "unknown" }]);
  expect(incident.queued[0]?.at).toBeGreaterThan(incident.openedAt - MINUTE_MS);
  expect(incident.evidence).toEqual([
    { id: "outcome_known", by: "journal", isThere: false },
    { id: "remote_shows", by: "person", isThere: false },
    { id: "cause", by: "person", isThere: false },
  ]);
  expect(incident.timeline.map(({ type }) => type)).toEqual(
    expect.arrayContaining(["OutcomeUnknown", "IncidentOpened"]),
  );
  const list = Incidents.parse(views.incidents());
  expect(list.incidents).toMatchObject([{ kind: "unknown_publish", closedAt: null, edition: "2026-W30" }]);
  expect(list.places).toMatchObject([{ edition: "2026-W30", slots: [operation.slot], adapters: ["cms-sandbox"] }]);
  expect(world.journal.reader.openIncidents()).toHaveLength(1);
});

test("steps, branches, notes and pins are events: the clocks and the next step come from them alone", () => {
  const { get, does, world } = unknownPublish();
  const { openedAt } = get();
  const stepOf = (id: string) => get().runbook.steps.find((step) => step.id === id);
  expect(get().runbook.next).toBe("read_journal");
  expect(stepOf("read_journal")).toMatchObject({ startedAt: openedAt, dueAt: openedAt + 2 * MINUTE_MS, passed: null });
  world.now += MINUTE_MS;
  expect(does({ type: "pass_runbook_step", step: "read_journal", how: "done" }).result).toBe("applied");
  expect(stepOf("read_journal")).toMatchObject({ dueAt: null, tookMs: 61_000, passed: { how: "done", by: EDITOR } });
  expect(get().runbook.next).toBe("look_now");
  // A branch leads past what lies between; the step it leads to has the clock.
  does({ type: "pass_runbook_step", step: "look_now", how: "branch", branch: "one", note: "18427 is there" });
  expect(get().runbook.next).toBe("give_verdict");
  expect(stepOf("hold")).toMatchObject({ passed: null, dueAt: null });
  const refused = (command: Record<string, unknown>) => {
    const answer = does({ type: "pass_runbook_step", ...command });
    return "unmet" in answer ? answer.unmet.map(({ code }) => code) : answer.result;
  };
  expect(refused({ step: "hold", how: "skipped" })).toEqual(["reason_missing"]);
  expect(refused({ step: "look_now", how: "branch", branch: "three" })).toEqual(["runbook_step_unknown"]);
  expect(refused({ step: "dance", how: "done" })).toEqual(["runbook_step_unknown"]);
  expect(refused({ step: "hold", how: "done", runbookVersion: 99 })).toEqual(["runbook_changed"]);
  expect(refused({ step: "hold", how: "skipped", note: "nobody else can" })).toBe("applied");
  expect(stepOf("hold")?.passed).toMatchObject({ how: "skipped", note: "nobody else can" });

  does({ type: "note_incident", note: "called the <hosting> at 09:20" });
  const noted = get().timeline.find(({ type }) => type === "IncidentNoted");
  expect(noted).toMatchObject({ text: "called the <hosting> at 09:20", actor: EDITOR, isPinned: false });
  const pin = (isPinned: boolean) => does({ type: "pin_incident_event", seq: noted?.seq, isPinned });
  pin(true);
  expect(
    get()
      .timeline.filter(({ isPinned }) => isPinned)
      .map(({ seq }) => seq),
  ).toEqual([noted?.seq]);
  pin(false);
  expect(get().timeline.filter(({ isPinned }) => isPinned)).toEqual([]);
});

test("a clock that was set back makes no negative time, and a step passed again counts as it was passed last", () => {
  const { get, does, world } = unknownPublish();
  world.now -= 60 * MINUTE_MS;
  does({ type: "pass_runbook_step", step: "read_journal", how: "done" });
  expect(get().runbook.steps[0]?.tookMs).toBe(0);
  does({ type: "pass_runbook_step", step: "read_journal", how: "skipped", note: "it was another one" });
  expect(get().runbook.steps[0]?.passed).toMatchObject({ how: "skipped" });
});

test("what is about no task has a screen as well: a restored backup is asked about, closed, and stays on the list", () => {
  const world = new World();
  world.must({ type: "raise_epoch", reason: "a backup was put back" }, "system");
  const views = worldViews(world);
  const [row] = Incidents.parse(views.incidents()).incidents;
  const get = () => Incident.parse(views.incident({ incidentId: row?.id ?? "" }));
  expect(get()).toMatchObject({
    kind: "restored_backup",
    taskId: null,
    edition: null,
    runbook: { next: "which_backup" },
  });
  expect(get().runbook.parts["symptom"]?.en).toContain("raised to 2");
  const proofs = { other_copy_stopped: "there is none", cause: "the disk was changed" };
  const settle = () =>
    world.execute(
      {
        ...{ type: "settle_incident", taskId: null, incidentId: row?.id ?? "", proofs, observed: null },
        reason: "asked about everything",
      },
      EDITOR,
    );
  expect(settle()).toMatchObject({ unmet: [{ values: { what: "epoch_reconciled" } }] });
  world.must({ type: "settle_epoch" }, "system");
  expect(get().evidence[0]).toEqual({ id: "epoch_reconciled", by: "journal", isThere: true });
  expect(settle().result).toBe("applied");
  expect(get().timeline.map(({ type }) => type)).toEqual(["EpochRaised", "EpochReconciled", "IncidentClosed"]);
  expect(views.incident({ incidentId: "in-none" })).toBeNull();
});

test("with the network off every step is worked, noted and pinned, and only what has to be looked at stays open", async () => {
  const world = new World();
  const walk = new BriefingWalk(world).to("published");
  const { taskId } = walk;
  const open = { type: "open_incident", taskId, rule: "by_hand", kind: "wrong_page_live", scope: "task" } as const;
  world.must({ ...open, scopeValue: taskId, operationId: null, reason: "a reader wrote in" }, EDITOR);
  const incidentId = walk.view().freezes()[0]?.id ?? "";
  const views = worldViews(world);
  const get = () => Incident.parse(views.incident({ incidentId }));
  const does = (command: Record<string, unknown>) =>
    world.execute({ taskId, incidentId, ...command } as IncidentCommand, EDITOR).result;
  for (const { id: step, branches } of get().runbook.steps) {
    const branch = branches[0]?.id ?? null;
    const how = branch === null ? "done" : "branch";
    const about = { runbookVersion: get().runbook.version, step, how, branch, note: "by the plan on paper" };
    expect(does({ type: "pass_runbook_step", ...about })).toBe("applied");
  }
  expect(does({ type: "note_incident", note: "no network since nine" })).toBe("applied");
  const { seq } = get().timeline.at(-1) as { seq: number };
  expect(does({ type: "pin_incident_event", seq, isPinned: true })).toBe("applied");

  const error = { class: "transient", code: "enetunreach", message: "network is unreachable" };
  const ports = { ...walk.ports, clock: deadClock(world), probe: { read: async () => ({ kind: "failed", error }) } };
  const desk = {
    actor: EDITOR,
    journal: world.journal,
    clock: deadClock(world),
    trusted: { read: () => world.trusted() },
  };
  const persons = get().evidence.filter(({ by }) => by === "person");
  const proofs = Object.fromEntries(persons.map(({ id }) => [id, "seen on paper"]));
  const asked = { taskId, incidentId, proofs, reason: "the page is right" };
  const answer = await settleIncident(
    { journal: world.journal, ports } as never,
    desk as Partial<Desk> as Desk,
    asked as never,
  );
  expect(answer).toMatchObject({ result: "guard_failed", unmet: [{ values: { what: "right_page_live" } }] });
  // Nothing was lost by asking: the incident is open, and so is the freeze.
  expect(get()).toMatchObject({ closedAt: null });
  expect(walk.view().freezes()).toHaveLength(1);
});

const deadClock = (world: World): Desk["clock"] =>
  ({
    now: () => world.now,
    timeout: () => ({ signal: new AbortController().signal, cancel: () => undefined }),
  }) as never;
