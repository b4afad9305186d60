import { describe, expect, test } from "vitest";
import { killAt } from "./compensator-world";
import { ReconciledWorld } from "./daily-reconciliation-world";

const HASH = /[0-9a-f]{64}/g;

describe("the day after", () => {
  test("a clean edition: every effect asked about, nothing different, nothing written outside", async () => {
    const world = await ReconciledWorld.open();
    const before = await world.written();
    const result = await world.daily();
    // Page, campaign and its start as objects; the page as readers get it; the report.
    expect(result).toMatchObject({
      tasks: 1,
      checked: 5,
      differences: 0,
      putOff: 0,
      unreachable: [],
      brokenPromises: 0,
    });
    expect(await world.written()).toEqual(before);
    expect(world.looks()).toEqual(Array(3).fill({ verdict: "confirmed", actor: "system", able: 1 }));
    expect(world.rounds()).toMatchObject([{ looked: 5, equal: 5, different: 0, notAsked: 0, differences: [] }]);
    expect([world.items(), world.incidents()]).toEqual([[], []]);
    expect(world.undo.walk.state).toBe("succeeded");
    expect(world.undo.violations()).toEqual([]);
  });

  test("not on the day itself, and once: the second time of a day asks nothing, the next day neither", async () => {
    const world = await ReconciledWorld.open();
    world.undo.world.now -= 86_400_000;
    expect(await world.daily()).toMatchObject({ tasks: 0, checked: 0 });
    world.nextDay();
    expect(await world.daily()).toMatchObject({ tasks: 1, checked: 5 });
    expect(await world.daily()).toMatchObject({ tasks: 0, checked: 0 });
    world.nextDay();
    expect(await world.daily()).toMatchObject({ tasks: 0, checked: 0 });
    expect(world.looks()).toHaveLength(3);
    // A person's button asks all the same.
    const byHand = await world.job().run({ actor: "editor:lin", isDaily: false });
    expect(byHand).toMatchObject({ tasks: 1, checked: 5, differences: 0 });
    expect(world.rounds()).toHaveLength(2);
  });

  test("longer ago than eight days it is left alone", async () => {
    const world = await ReconciledWorld.open();
    world.undo.world.now += 8 * 86_400_000;
    expect(await world.daily()).toMatchObject({ tasks: 0 });
  });
});

describe("two objects in one place", () => {
  test("a website that answered its create well and made two pages: an open incident, and an item", async () => {
    const world = await ReconciledWorld.open({}, [{ on: "cms.create", fault: "duplicate" }]);
    expect(world.incidents()).toEqual([]);
    const result = await world.daily();
    expect(result).toMatchObject({ differences: 1 });
    const { slot, id } = world.undo.walk.operation("publish");
    expect(world.incidents()).toMatchObject([
      { rule: "duplicate_remote", scope: "slot", scope_value: slot, closed_at: null, opened_by: "system" },
    ]);
    expect(world.items()).toMatchObject([
      { subject: `duplicate ${slot}: 1 ≠ 2`, operation_id: id, stage: "to_triage", owner: expect.stringMatching(/./) },
    ]);
    // The place stays frozen for the next version; the ended edition stays as it was.
    expect(world.undo.walk.view().freezes()).toHaveLength(1);
    expect(world.undo.walk.state).toBe("succeeded");
    expect(world.undo.violations()).toEqual([]);
  });

  test("a provider that answered its create well and made two campaigns: the same", async () => {
    const world = await ReconciledWorld.open({}, [{ on: "mail.create", fault: "duplicate" }]);
    await world.daily();
    const { slot } = world.undo.walk.operation("send");
    expect(world.incidents()).toMatchObject([{ rule: "duplicate_remote", scope_value: slot, closed_at: null }]);
    expect(world.items()).toMatchObject([{ subject: `duplicate ${slot}: 1 ≠ 2` }]);
  });

  test("a request that came true after it was proven absent and sent anew", async () => {
    // Carried out an hour later, long past the horizon at which its absence counted.
    const late = { on: "cms.create", fault: "commit-later", params: { ms: 3_600_000 } };
    const world = await ReconciledWorld.open({}, [late]);
    expect(world.undo.walk.operation("publish").state).toBe("confirmed");
    await world.daily();
    const { slot } = world.undo.walk.operation("publish");
    expect(world.incidents()).toMatchObject([{ rule: "duplicate_remote", scope_value: slot, closed_at: null }]);
  });

  test("a campaign that was started twice by one request", async () => {
    const world = await ReconciledWorld.open({}, [{ on: "mail.trigger", fault: "duplicate" }]);
    await world.daily();
    expect(world.items().map(({ subject }) => subject)).toEqual([
      expect.stringMatching(/^applied_twice send:.*: 1 ≠ 2$/),
    ]);
  });
});

describe("what was changed outside", () => {
  test("a page changed by hand: both hashes, and that no operation of ours wrote it", async () => {
    const world = await ReconciledWorld.open();
    const { slot, id, contentHash } = world.undo.walk.operation("publish");
    const other = "ab".repeat(32);
    const html = "<!doctype html><html><body><h1>Rewritten</h1></body></html>";
    const written = { key: "somebody:else", expectedRevision: 1, title: "Rewritten", html, taskId: "none" };
    const done = await world.byHand("PUT", "/cms/posts/18427", { ...written, contentHash: other, intentHash: other });
    expect(done.status).toBe(200);
    await world.daily();
    const items = world.items();
    expect(items.map(({ subject, operation_id }) => [subject.split(" ")[0], operation_id])).toEqual([
      ["content", id],
      ["foreign_write", null],
      ["live_page", id],
    ]);
    expect(items[0]?.subject).toBe(`content ${slot}: ${contentHash} ≠ ${other}`);
    expect(items[2]?.subject.match(HASH)).toHaveLength(2);
    expect(world.rows("SELECT 1 FROM artifact WHERE kind = 'page-capture'").length).toBeGreaterThan(1);
    expect(world.incidents()).toEqual([]);
    expect(items.some(({ subject }) => subject.includes("somebody"))).toBe(false);
  });

  test("a page thrown away: readers get nothing, and it says who did not do it", async () => {
    const world = await ReconciledWorld.open();
    await world.byHand("POST", "/cms/posts/18427/status", { key: "bin", status: "trash", expectedRevision: null });
    await world.daily();
    expect(world.items().map(({ subject }) => subject)).toEqual([
      expect.stringMatching(/^foreign_write /),
      expect.stringMatching(/^live_page http.*: public ≠ not public$/),
    ]);
  });

  test("an object that is gone is one item, not one for each of its phases", async () => {
    const world = await ReconciledWorld.open();
    await world.undo.fault({ on: "mail.query", fault: "stale" });
    await world.daily();
    const { slot, operationKey } = world.undo.walk.operation("send");
    expect(world.items().map(({ subject }) => subject)).toEqual([`missing ${slot}: ${operationKey} ≠ —`]);
  });

  test("the provider's totals changed since", async () => {
    const world = await ReconciledWorld.open();
    await world.configure({ bounces: 2 });
    await world.daily();
    expect(world.items().map(({ subject }) => subject)).toEqual([
      expect.stringMatching(/^totals send:.*: delivered 5 ≠ bounced 2, delivered 3$/),
    ]);
    // Said, and never adjusted.
    expect(world.rows("SELECT 1 FROM recipient_account WHERE outcome = 'bounced'")).toEqual([]);
  });
});

describe("when something is in the way", () => {
  test("a remote that gives no answer: said, no item, and asked again the next day", async () => {
    const world = await ReconciledWorld.open();
    await world.undo.fault({ on: "cms.query", fault: "drop-before-commit" });
    const result = await world.daily();
    const { host } = new URL(world.undo.remote.url);
    // One host for website and provider here: after the first silence neither is bothered again in this round.
    expect(result).toMatchObject({ tasks: 1, checked: 0, putOff: 1, unreachable: [host] });
    expect(world.rounds("ReconciliationPutOff")).toMatchObject([{ unreachable: [host], differences: [] }]);
    expect([world.items(), world.incidents(), world.rounds()]).toEqual([[], [], []]);
    expect(world.looks()).toEqual([{ verdict: "failed", actor: "system", able: 0 }]);
    world.nextDay();
    expect(await world.daily()).toMatchObject({ tasks: 1, checked: 5, putOff: 0, unreachable: [] });
  });

  test("a suspended host is not called at all", async () => {
    const world = await ReconciledWorld.open();
    const { host } = new URL(world.undo.remote.url);
    for (let times = 0; times < 5; times += 1) world.undo.walk.ports.breaker.failed(host, world.undo.world.now);
    expect(await world.daily()).toMatchObject({ checked: 0, unreachable: [host] });
    expect(world.looks()).toEqual([]);
  });

  test("death in the middle: the task is asked about as a whole again, and nothing is there twice", async () => {
    const world = await ReconciledWorld.open({}, [{ on: "cms.create", fault: "duplicate" }]);
    await world.killed(killAt("mail-sandbox.look"));
    expect(world.incidents()).toHaveLength(1);
    expect(world.rounds()).toEqual([]);
    await world.daily();
    expect([world.rounds().length, world.incidents().length, world.items().length]).toEqual([1, 1, 1]);
    expect(world.undo.violations()).toEqual([]);
  });

  test("two processes at it at once: one record of the day", async () => {
    const world = await ReconciledWorld.open();
    const results = await Promise.all([world.daily(), world.daily()]);
    expect(results.map(({ tasks }) => tasks).sort()).toEqual([0, 1]);
    expect(world.rounds()).toHaveLength(1);
  });

  test("what the journal itself does not keep is an item too, under the edition it is about", async () => {
    const world = await ReconciledWorld.open();
    const { taskKey } = world.undo.walk.view().task;
    const broken = [
      { invariant: "I06", subject: taskKey },
      { invariant: "I08", subject: "event 7" },
    ];
    const result = await world.daily(world.job({ checkItself: async () => broken }));
    expect(result).toMatchObject({ brokenPromises: 2, differences: 2 });
    expect(world.items().map(({ subject }) => subject)).toEqual([
      `journal I06 ${taskKey}: kept ≠ broken`,
      "journal I08 event 7: kept ≠ broken",
    ]);
  });
});
