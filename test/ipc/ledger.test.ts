import { beforeEach, describe, expect, test } from "vitest";
import { workspaceHandlers } from "../../main/compose/handlers";
import { ledgerFile } from "../../main/compose/ledger-file";
import type { Handlers } from "../../main/shell/handlers";
import { answer } from "../../main/shell/ipc-answer";
import type { Channel, Input, Output } from "../../preload/contract";
import { BriefingWalk } from "../support/briefing-walk";
import { EDITOR, World } from "../support/world";
import { worldViews } from "../support/world-views";

const asked: Input<"ledger.get"> = {
  filter: { outcomes: [], marks: [], from: null, to: null, text: "" },
  sort: { by: "edition", descending: false },
};

/** The ledger as the window asks for it: over the bridge's parsing, with the app's own handlers, on a real journal. */
class Desk {
  readonly world = new World();
  readonly faults: unknown[] = [];
  readonly written = new Map<string, string>();
  /** What the person chooses in the system's dialog. */
  chosen: string | null = "/home/lin/ledger";
  mayWrite = true;

  ask<C extends Channel>(channel: C, input: unknown): Promise<Output<C>> {
    const { world } = this;
    const desk = {
      ...{ actor: EDITOR, journal: world.journal, pipeline: null },
      ...{ clock: { now: () => world.now }, trusted: { read: () => world.trusted() } },
    };
    const workspace = { desk: () => desk, database: world.database };
    const views = { ...worldViews(world), clock: () => ({ now: world.now }) };
    const files = {
      chooseTable: async () => null,
      chooseNew: async () => this.chosen,
      writeText: (file: string, text: string) => {
        if (this.mayWrite) this.written.set(file, text);
        return this.mayWrite;
      },
    };
    const handlers = workspaceHandlers({ workspace } as never, views as never, null as never, files);
    const report = (fault: unknown) => void this.faults.push(fault);
    return answer(channel, input, { handlers: Promise.resolve(handlers as unknown as Handlers), report });
  }
}

let desk: Desk;
beforeEach(() => {
  desk = new Desk();
});

describe("the ledger over the bridge", () => {
  test("a workspace in which nothing happened has an empty one", async () => {
    expect(await desk.ask("ledger.get", asked)).toMatchObject({ taskIds: [], total: 0 });
    expect(await desk.ask("ledger.rows", { taskIds: ["t-nobody"] })).toEqual({ rows: [] });
    expect(await desk.ask("ledger.facts", { taskId: "t-nobody" })).toBeNull();
  });

  test("an edition that ended and one under way: their order, their rows, and what the frozen package says", async () => {
    const done = new BriefingWalk(desk.world, { edition: "2026-W30" }).to("succeeded");
    const begun = new BriefingWalk(desk.world, { edition: "2026-W31" }).to("collecting");
    const { taskIds, total } = await desk.ask("ledger.get", asked);
    expect([taskIds, total]).toEqual([[done.taskId, begun.taskId], 2]);
    const { rows } = await desk.ask("ledger.rows", { taskIds });
    const { contentHash, packageHash } = done.view().task.context;
    expect(rows).toMatchObject([
      { edition: "2026-W30", state: "succeeded", articleId: "18427", campaignId: "930", contentHash, packageHash },
      { edition: "2026-W31", state: "collecting", endedAt: null, articleId: null, packageHash: null, facts: null },
    ]);
    const facts = await desk.ask("ledger.facts", { taskId: done.taskId });
    expect(facts?.facts.map(({ headline }) => headline)).toEqual(
      done.package().document.facts.map(({ headline }) => headline),
    );
    expect(await desk.ask("ledger.facts", { taskId: begun.taskId })).toBeNull();
    expect(desk.faults).toEqual([]);
  });

  test("a day is the workspace's: what began at two in the morning there began the day before by UTC", async () => {
    const { world } = desk;
    world.now = Date.UTC(2026, 6, 19, 18, 0);
    const walk = new BriefingWalk(world).to("created");
    const on = async (from: string, to: string) =>
      (await desk.ask("ledger.get", { ...asked, filter: { ...asked.filter, from, to } })).taskIds;
    expect(await on("2026-07-20", "2026-07-20")).toEqual([walk.taskId]);
    expect(await on("2026-07-19", "2026-07-19")).toEqual([]);
  });

  test("refuses a column and a day that nobody has by the names of their fields", async () => {
    await expect(desk.ask("ledger.get", { ...asked, sort: { by: "task_id", descending: true } })).rejects.toThrow(
      "bad_input: sort.by",
    );
    const filter = { ...asked.filter, from: "2026-02-30" };
    await expect(desk.ask("ledger.get", { ...asked, filter })).rejects.toThrow("bad_input: filter.from");
  });
});

describe("an export holds exactly the rows that are shown, in their order", () => {
  test("as a table and as JSON", async () => {
    for (const edition of ["2026-W28", "2026-W29", "2026-W30"])
      new BriefingWalk(desk.world, { edition }).to(edition === "2026-W29" ? "collecting" : "succeeded");
    const shown = {
      filter: { ...asked.filter, outcomes: ["succeeded"] },
      sort: { by: "edition", descending: true },
    };
    const saved = await desk.ask("ledger.export", { ...shown, format: "csv" });
    expect(saved).toEqual({ result: "saved", file: "/home/lin/ledger", rows: 2 });
    const [head, ...lines] = (desk.written.get("/home/lin/ledger") ?? "").trimEnd().split("\n");
    expect(head).toMatch(/^task_id,edition,version,state,started,ended,recovered_events,unknown_outcomes,/);
    expect(lines.map((line) => line.split(",").slice(1, 4))).toEqual([
      ["2026-W30", "1", "succeeded"],
      ["2026-W28", "1", "succeeded"],
    ]);
    await desk.ask("ledger.export", { ...shown, format: "json" });
    const told = JSON.parse(desk.written.get("/home/lin/ledger") ?? "");
    expect(told).toMatchObject(shown);
    expect(told.editions.map((one: { edition: string }) => one.edition)).toEqual(["2026-W30", "2026-W28"]);
    expect(told.editions[0].started).toMatch(/^2026-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
  });

  test("writes nothing where no file was chosen, and says so where it could not be written", async () => {
    desk.mayWrite = false;
    expect(await desk.ask("ledger.export", { ...asked, format: "csv" })).toEqual({ result: "failed" });
    desk.chosen = null;
    expect(await desk.ask("ledger.export", { ...asked, format: "csv" })).toEqual({ result: "nothing_chosen" });
    expect(desk.written.size).toBe(0);
  });

  test("an id that a remote made up is no formula in a spreadsheet", async () => {
    const walk = new BriefingWalk(desk.world).to("succeeded");
    const { rows } = await desk.ask("ledger.rows", { taskIds: [walk.taskId] });
    const hostile = rows.map((row) => ({ ...row, articleId: '=HYPERLINK("http://x","18427")', campaignId: "@sum(1)" }));
    const text = ledgerFile({ ...asked, format: "csv" }, hostile, desk.world.now);
    expect(text).toContain(`"'=HYPERLINK(""http://x"",""18427"")",'@sum(1)`);
  });
});
