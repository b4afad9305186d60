import { describe, expect, test } from "vitest";
import { Journal } from "../../db/journal";
import { loadJournal } from "../../db/load-journal";
import { openJournal } from "../../db/open";
import { type Desk, executeFor } from "../../main/commands/desk";
import { keepDraft } from "../../main/commands/keep-draft";
import { useDraft } from "../../main/commands/use-draft";
import type { DraftEdit, EditSeen } from "../../main/domain/draft-edit";
import type { TaskId } from "../../main/domain/ids";
import { checkInvariants } from "../../main/domain/invariants";
import { briefingDefinition } from "../../main/pipeline/briefing/definition";
import { contentEdit } from "../../main/pipeline/briefing/desk";
import { BriefingDraftDesk } from "../../main/pipeline/briefing/draft-desk";
import type { DraftDocument } from "../../main/pipeline/briefing/draft-schema";
import { freezeJson, thawJson } from "../../main/pipeline/briefing/frozen";
import { Draft, EditOfDraft, WeighedDraft } from "../../preload/contract";
import { exported, failed, text, unpacked, verdictOn } from "../evidence/bundle-kit";
import { BriefingWalk } from "../support/briefing-walk";
import { EDITOR, World } from "../support/world";
import { worldViews } from "../support/world-views";

// ux: draft editor. What an editor keeps, weighs and brings in, seen through a real journal on disk.

type Stage = Parameters<BriefingWalk["to"]>[0];

/** A world at a stage, with the person's desk in it. */
function begin(stage: Stage, more: ConstructorParameters<typeof BriefingWalk>[1] = {}) {
  const world = new World();
  const walk = new BriefingWalk(world, more).to(stage);
  const draft = new BriefingDraftDesk(walk.ports);
  const desk = {
    ...{ actor: EDITOR, journal: world.journal, pipeline: { draft } },
    ...{ clock: { now: () => world.now }, trusted: { read: () => world.trusted() } },
  } as unknown as Desk;
  const { taskId } = walk;
  return { world, walk, draft, desk, taskId };
}

type Begun = ReturnType<typeof begin>;

const context = ({ walk }: Begun, name: string) => (walk.view().task.context[name] ?? null) as string | null;
const codes = (answer: { unmet?: readonly { code: string }[]; result?: string }) =>
  answer.unmet?.map(({ code }) => code) ?? [answer.result];

/** The present draft as an editor gets it. */
function opened(at: Begun): { edit: DraftEdit; seen: EditSeen } {
  const open = at.draft.open(at.walk.view());
  if (open === null) throw new Error("there is no draft");
  const { title, intro, email, facts } = open.draft;
  const edit = {
    ...{ title, intro, email },
    facts: facts.map(({ id, headline, statement, span }) => ({ id, headline, statement, span })),
  };
  return { edit, seen: { draftHash: open.hash, workingHash: open.working?.hash ?? null } };
}

const keep = (at: Begun, seen: EditSeen, edit: DraftEdit) => keepDraft(at.desk, { taskId: at.taskId, seen, edit });
const use = (at: Begun, seen: EditSeen, edit: DraftEdit, expectedVersion = at.walk.view().task.stateVersion) =>
  useDraft(at.desk, { taskId: at.taskId, expectedVersion, seen, edit });
const weigh = (at: Begun, seen: EditSeen, edit: DraftEdit) =>
  WeighedDraft.parse(worldViews(at.world).weighDraft(EditOfDraft.parse({ taskId: at.taskId, seen, edit })));
const view = (at: Begun) => Draft.parse(worldViews(at.world).draft({ taskId: at.taskId }));
const drafted = (at: Begun): DraftDocument =>
  thawJson(at.world.blobs, String(context(at, "editedDraftHash") ?? context(at, "draftHash")));
const sound = (at: Begun) => expect(checkInvariants(loadJournal(at.world.database.sqlite))).toEqual([]);

/** The first fact with its quote picked anew: the second sentence of the same item. */
function repicked(at: Begun, { facts, ...words }: DraftEdit) {
  const [first, ...others] = facts as [DraftEdit["facts"][number], ...DraftEdit["facts"]];
  const snapshotHash = first.span?.snapshotHash ?? "";
  const start = sourceText(at, snapshotHash).indexOf("It takes effect");
  const span = { snapshotHash, start, end: start + SECOND.length };
  return { edit: { ...words, facts: [{ ...first, span }, ...others] }, span };
}

const SECOND = "It takes effect on Monday.";

function sourceText(at: Begun, hash: string): string {
  const source = at.walk
    .view()
    .artifacts("source-snapshot")
    .find((one) => one.hash === hash);
  const { contentType, finalUrl, format } = JSON.parse(source?.origin ?? "{}");
  const bytes = at.world.blobs.get(hash as never);
  const extraction = at.walk.ports.parser.extract({ bytes, contentType, finalUrl, format });
  return extraction.kind === "extracted" ? extraction.source.text : "";
}

describe("a working copy", () => {
  test("is kept beside the frozen draft, moves nothing, and is there after a restart", () => {
    const at = begin("awaiting_content_approval");
    const { edit, seen } = opened(at);
    const before = at.walk.view().task;
    const { hash, answer } = keep(at, seen, { ...edit, title: "Half a title" });
    expect(answer).toMatchObject({ result: "applied", events: [{ type: "WorkingDraftKept" }] });
    const { task } = at.walk.view();
    expect(task).toMatchObject({ state: before.state, stateVersion: before.stateVersion });
    expect([task.context["draftHash"], task.context["packageHash"]]).toEqual([
      before.context["draftHash"],
      before.context["packageHash"],
    ]);
    expect(at.walk.view().artifacts("working-draft")).toMatchObject([{ hash }]);
    sound(at);

    at.world.database.close();
    const again = openJournal({ dir: at.world.dir, now: at.world.now, kind: "sandbox", workspaceId: "world" });
    if (again.kind === "problem") throw new Error(again.problem.detail);
    const journal = new Journal({
      ...{ sqlite: again.journal.sqlite, definitions: [briefingDefinition], now: () => at.world.now },
      crash: { reach: () => undefined },
    });
    const found = journal.reader.view(at.taskId as TaskId);
    const open = found === null ? null : new BriefingDraftDesk(at.walk.ports).open(found);
    expect(open?.draft.title).toBe(edit.title);
    expect(open?.working).toMatchObject({ hash, base: seen.draftHash, draft: { title: "Half a title" } });
    again.journal.close();
  });

  test("of another window is not written over, and nobody but a person keeps one", () => {
    const at = begin("awaiting_content_approval");
    const { edit, seen } = opened(at);
    const first = keep(at, seen, { ...edit, title: "First window" });
    expect(codes(keep(at, seen, { ...edit, title: "Second window" }).answer)).toEqual(["working_draft_changed"]);
    expect(codes(use(at, seen, { ...edit, title: "Second window" }))).toEqual(["working_draft_changed"]);
    expect(view(at).working).toMatchObject({ hash: first.hash, draft: { title: "First window" } });
    const command = at.draft.keep(at.walk.view(), { ...seen, workingHash: first.hash }, edit);
    const stateVersion = at.walk.view().task.stateVersion;
    expect(codes(at.world.execute(command, "system", { expectedVersion: stateVersion }) as never)).toEqual([
      "person_required",
    ]);
    expect(codes(at.world.execute(command, EDITOR, { expectedVersion: 0 }) as never)).toEqual(["state_version_is"]);
  });

  test("is given up by its hash alone, and its bytes stay where the journal names them", () => {
    const at = begin("awaiting_content_approval");
    const { edit, seen } = opened(at);
    const { hash } = keep(at, seen, { ...edit, title: "Half a title" });
    const drop = (one: string) =>
      executeFor(at.desk, { type: "drop_working_draft", taskId: at.taskId as TaskId, hash: one });
    expect(codes(drop("f".repeat(64)) as never)).toEqual(["working_draft_changed"]);
    expect(drop(hash as string).result).toBe("applied");
    expect(view(at).working).toBeNull();
    expect(at.world.blobs.has(hash as never)).toBe(true);
    sound(at);
  });

  test("of a draft that was replaced names its base, and cannot be brought in from it", () => {
    const at = begin("awaiting_content_approval");
    const { edit, seen } = opened(at);
    const { hash } = keep(at, seen, { ...edit, title: "Half a title" });
    at.walk.edit("Somebody was quicker");
    at.walk.check();
    const open = view(at);
    expect(open.draft.title).toBe("Somebody was quicker");
    expect(open.working?.base).toBe(seen.draftHash);
    expect(open.working?.base).not.toBe(open.draftHash);
    expect(codes(use(at, { ...seen, workingHash: hash }, edit))).toEqual(["draft_changed"]);
    sound(at);
  });

  test("goes into an evidence bundle as a kind of its own, and the bundle verifies", async () => {
    const at = begin("awaiting_content_approval");
    const { edit, seen } = opened(at);
    const { hash } = keep(at, seen, { ...edit, title: "Half a title" });
    const { path } = await exported(at.world.dir);
    const verdict = await verdictOn(path);
    expect([verdict.valid, failed(verdict)]).toEqual([true, []]);
    expect(text(await unpacked(path), "data/files.csv")).toContain(`working-draft,${hash}`);
  });
});

describe("an edit that is brought in", () => {
  test("reads a picked quote at its place, ends the approval and the working copy, and is checked again", () => {
    const at = begin("content_approved");
    const { edit, seen } = opened(at);
    const picked = repicked(at, edit);
    expect(at.draft.pick(at.walk.view(), picked.span)).toMatchObject({
      ...{ kind: "picked", quote: SECOND, sourceId: "alpha" },
      url: "https://alpha.example/alpha-1",
    });
    const { hash: workingHash } = keep(at, seen, picked.edit);
    const kept = { ...seen, workingHash };

    const weighed = weigh(at, kept, picked.edit);
    expect(weighed).toMatchObject({ open: true, to: "checking", changesPage: true, changesBody: false });
    expect(weighed.ends).toMatchObject([{ scope: "publish", approver: EDITOR }]);
    expect(use(at, kept, picked.edit).result).toBe("applied");
    expect(at.walk.state).toBe("checking");
    expect(drafted(at).facts[0]).toMatchObject({ quote: SECOND, start: picked.span.start });
    expect(context(at, "workingDraftHash")).toBeNull();
    const ended = at.walk.view().approvals();
    expect(ended.map(({ scope, endedAt }) => [scope, endedAt !== null])).toEqual([["publish", true]]);
    at.walk.check();
    expect(at.walk.state).toBe("awaiting_content_approval");
    sound(at);
  });

  test("says what changes by the hashes that approvals are bound to: the page, the mailing's body, both or neither", () => {
    const at = begin("awaiting_content_approval");
    const { edit, seen } = opened(at);
    const said = (change: Partial<DraftEdit>) => {
      const { changesPage, changesBody, ends, open } = weigh(at, seen, { ...edit, ...change });
      return [open, changesPage, changesBody, ends.length];
    };
    expect(said({})).toEqual([true, false, false, 0]);
    expect(said({ intro: "Other words." })).toEqual([true, true, false, 0]);
    expect(said({ email: { ...edit.email, subject: "Another subject" } })).toEqual([true, false, true, 0]);
    expect(said({ facts: [...edit.facts].reverse() })).toEqual([true, true, true, 0]);
    // Nothing was frozen by asking.
    expect(at.walk.view().artifacts("draft")).toHaveLength(1);
  });

  test("is refused with every fault at its fact and its field, and nothing is written", () => {
    const at = begin("awaiting_content_approval");
    const { edit, seen } = opened(at);
    const [first, second, third, ...others] = edit.facts as [DraftEdit["facts"][number], ...DraftEdit["facts"]];
    const wrong = {
      ...{ ...edit, title: "Two\nlines" },
      facts: [
        { ...first, span: null },
        { ...second, headline: " " },
        { ...third, span: third?.span ? { ...third.span, start: 0, end: 400 } : null },
        { ...others[0], statement: "Turned \u202E around" },
        ...others.slice(1),
      ] as DraftEdit["facts"],
    };
    const found = weigh(at, seen, wrong);
    expect(found.open).toBe(false);
    expect(found.facts).toEqual([
      { factId: "F1", kind: "not_picked" },
      { factId: "F3", kind: expect.stringMatching(/outside_item|span_mismatch/) },
    ]);
    expect(found.fields).toEqual([
      { factId: null, field: "title", kind: "line_break" },
      { factId: "F2", field: "headline", kind: "missing" },
      { factId: "F4", field: "statement", kind: "unsafe" },
    ]);
    expect(codes(use(at, seen, wrong))).toEqual(["quote_not_found", "quote_not_found", "draft_invalid"]);
    expect(at.walk.state).toBe("awaiting_content_approval");
    expect(use(at, seen, edit, 0)).toMatchObject({ result: "stale_version" });
  });

  test("takes a fact out, puts one in, and changes the e-mail", () => {
    const at = begin("awaiting_content_approval");
    const { edit, seen } = opened(at);
    const { span } = repicked(at, edit);
    const added = { id: "F10", headline: "New", statement: "A new fact.", span };
    const next = { ...edit, email: { ...edit.email, intro: "Hello." }, facts: [...edit.facts.slice(1), added] };
    expect(use(at, seen, next).result).toBe("applied");
    const { facts, email } = drafted(at);
    expect([facts.length, facts[0]?.id, facts.at(-1)?.sourceId, email.intro]).toEqual([9, "F2", "alpha", "Hello."]);
  });
});

describe("a block in which the draft must be changed", () => {
  test("before the first package: the failed fact is marked, and the edited draft leads out", () => {
    const at = begin("checking");
    const base = drafted(at);
    const [first, ...others] = base.facts;
    const broken = { ...base, facts: [{ ...first, quote: "nobody wrote this" }, ...others] };
    const hash = at.world.blobs.put(new TextEncoder().encode(JSON.stringify(broken)));
    const artifact = { hash, kind: "draft", bytes: 1, mediaType: "application/json", origin: null };
    at.walk.executor({
      ...{ type: "transition", taskId: at.taskId as TaskId, event: "CheckBlocked", blockedReason: "fact_evidence" },
      ...{ artifacts: [artifact], context: { draftHash: hash } },
    });
    const open = view(at);
    expect(open).toMatchObject({ state: "blocked", blockedReason: "fact_evidence", canEdit: true });
    expect(open.draft.facts.map(({ fault }) => fault).slice(0, 2)).toEqual(["span_mismatch", null]);
    const { edit, seen } = opened(at);
    expect(codes(use(at, seen, edit))).toEqual(["quote_not_found"]);
    const { edit: mended } = repicked(at, edit);
    expect(weigh(at, seen, mended)).toMatchObject({ open: true, to: "drafting", packageHash: null, ends: [] });
    expect(use(at, seen, mended).result).toBe("applied");
    expect(at.walk.state).toBe("drafting");
    expect(drafted(at).facts[0]?.quote).toBe(SECOND);
  });

  test("for a broken link: the facts with that link are marked, and another quote or none leads out", () => {
    const at = begin("checking");
    const { url } = drafted(at).facts[1] ?? {};
    const links = [{ url, verdict: "broken", httpStatus: 404, finalUrl: null, hops: 0, code: null }];
    const report = freezeJson(at.world.blobs, "link-report", { format: "imprimatur-links/1", links });
    at.walk.executor({
      ...{ type: "transition", taskId: at.taskId as TaskId, event: "CheckBlocked", blockedReason: "link_failure" },
      artifacts: [report],
    });
    const open = view(at);
    expect(open.canEdit).toBe(true);
    expect(open.draft.facts.flatMap(({ id, fault }) => (fault === null ? [] : [[id, fault]]))).toEqual([
      ["F2", "link_broken"],
    ]);
    const { edit, seen } = opened(at);
    expect(use(at, seen, { ...edit, facts: edit.facts.filter(({ id }) => id !== "F2") }).result).toBe("applied");
    expect(at.walk.state).toBe("drafting");
  });

  test("after an approval was revoked the edited draft goes straight back to checking", () => {
    const at = begin("content_approved");
    const [approval] = at.walk.view().approvals();
    at.walk.person({
      ...{ type: "revoke_approval", taskId: at.taskId as TaskId },
      ...{ approvalId: approval?.id ?? "", reason: "the second fact is wrong" },
    });
    const { edit, seen } = opened(at);
    const next = { ...edit, title: "Better" };
    expect(weigh(at, seen, next)).toMatchObject({ open: true, to: "checking" });
    expect(use(at, seen, next).result).toBe("applied");
    expect(at.walk.state).toBe("checking");
    at.walk.check();
    sound(at);
  });

  test("before anything was drafted the edition is written from its sources", () => {
    const at = begin("drafting");
    expect(worldViews(at.world).draft({ taskId: at.taskId })).toBeNull();
    const taskId = at.taskId as TaskId;
    at.walk.executor({ type: "record_step", taskId, step: "drafting", checkpoint: { repairs: 1 }, calls: 0 });
    at.walk.executor({ type: "transition", taskId, event: "DraftBlocked", blockedReason: "draft_structure" });
    const open = view(at);
    expect(open).toMatchObject({ draftHash: null, canEdit: true, draft: { title: "", facts: [] } });
    const source = open.sources.find(({ id }) => id === "alpha");
    const start = sourceText(at, source?.snapshotHash ?? "").indexOf(SECOND);
    const span = { snapshotHash: source?.snapshotHash ?? "", start, end: start + SECOND.length };
    const edit = {
      ...{ title: "By hand", intro: "One change.", email: { subject: "By hand", intro: "Hello." } },
      facts: [{ id: "F1", headline: "A", statement: "B.", span }],
    };
    const { seen } = opened(at);
    expect(weigh(at, seen, edit)).toMatchObject({ open: true, to: "drafting", changesPage: true });
    expect(use(at, seen, edit).result).toBe("applied");
    expect(drafted(at)).toMatchObject({ language: "zh-CN", title: "By hand", facts: [{ quote: SECOND }] });
  });

  test("where the edition is out it cannot be edited, and says why", () => {
    const at = begin("published");
    expect(view(at)).toMatchObject({ canEdit: false, unmet: [{ code: "state_is" }] });
    const { edit, seen } = opened(at);
    expect(use(at, seen, { ...edit, title: "Too late" }).result).toBe("illegal_transition");
    expect(contentEdit(at.walk.ports, at.walk.view(), null, { ...edit, facts: [] })).toHaveProperty("unmet");
  });
});
