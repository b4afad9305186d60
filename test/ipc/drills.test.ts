import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createSystemClock } from "../../main/adapters/clock";
import type { ChildProgram, StartChild } from "../../main/compose/child-program";
import { DrillOrder } from "../../main/compose/drill-report";
import { type DrillRecord, DrillRunner } from "../../main/compose/drill-runner";
import { drillTroubles } from "../../main/domain/drill-trouble";
import { playDrill } from "../../main/headless/drill";
import { openDrillResults } from "../../main/shell/drill-results";
import type { Handlers } from "../../main/shell/handlers";
import { answer, pushable } from "../../main/shell/ipc-answer";
import type { Channel, Input, Output, PushEvent, Pushed } from "../../preload/contract";

/** Years ago: what was never drilled since is overdue. */
const SINCE = Date.UTC(2020, 0, 1);
const SAMPLES = join(import.meta.dirname, "../../main/sandbox/samples");

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "imprimatur-drills-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The child program's part without a process: it hears, tells and ends by hand. */
class Child implements ChildProgram {
  orders: unknown[] = [];
  tell: (message: unknown) => void = () => undefined;
  ended: (code: number | null) => void = () => undefined;
  isEnded = false;
  send(message: unknown): void {
    this.orders.push(message);
  }
  onMessage(listener: (message: unknown) => void): void {
    this.tell = listener;
  }
  onEnd(listener: (code: number | null) => void): void {
    this.ended = listener;
  }
  end(): void {
    if (this.isEnded) return;
    this.isEnded = true;
    setImmediate(() => this.ended(0));
  }
}

/** Plays what it is ordered to, in this process. */
class PlayingChild extends Child {
  override send(message: unknown): void {
    void playDrill(DrillOrder.parse(message), (report) => this.tell(structuredClone(report)));
  }
}

function openDesk(startChild: StartChild, limitMs?: number) {
  const pushed: { event: PushEvent; value: unknown }[] = [];
  const faults: unknown[] = [];
  const told: string[][] = [];
  const report = (entry: unknown) => void faults.push(entry);
  const push = <E extends PushEvent>(event: E, value: Pushed<E>) =>
    pushed.push({ event, value: pushable(event, value, report) });
  const file = join(folder, "drills.json");
  const results = openDrillResults(file, report, SINCE);
  const runner = new DrillRunner({
    dir: join(folder, "drill"),
    samplesDir: SAMPLES,
    file: "drill.worker.cjs",
    zone: "Asia/Shanghai",
    startChild,
    clock: createSystemClock({ keepsProcess: true }),
    results,
    onProgress: (progress) => push("drill.progress", progress),
    onResult: () => {
      told.push(drillTroubles(runner.standing().plays, []).map(({ about, why }) => `${about} ${why}`));
    },
    onChange: (change) => push("drill.changed", change),
    ...(limitMs === undefined ? {} : { limitMs }),
  });
  const handlers = Promise.resolve({
    "drills.get": () => runner.get(),
    "drills.start": (input: Input<"drills.start">) => runner.start(input),
    "drills.cancel": () => runner.cancel(),
    "drills.judge": (input: Input<"drills.judge">) => runner.judge(input),
  } as unknown as Handlers);
  const ask = <C extends Channel>(channel: C, input: unknown): Promise<Output<C>> =>
    answer(channel, input, { handlers, report });
  const readResults = async (): Promise<readonly DrillRecord[]> => (await ask("drills.get", {})).results;
  return { ask, pushed, faults, told, runner, results: readResults, reopen: () => openDrillResults(file, report, 0) };
}

const changes = (pushed: { event: PushEvent; value: unknown }[]) =>
  pushed.filter(({ event }) => event === "drill.changed").map(({ value }) => value as Pushed<"drill.changed">);

describe("a drill through the bridge", () => {
  it("plays S13 on a throw-away workspace: its events, the one create call and the article are told as they happen", async () => {
    const desk = openDesk(() => new PlayingChild());
    const { groups, duties, limitMs } = await desk.ask("drills.get", {});
    expect(duties.map(({ name, standing, next }) => [name, standing, next])).toEqual([
      ["unknown_publish", "overdue", "S13"],
      ["compensation", "overdue", "S45"],
      ["recoveries", "overdue", "S21"],
    ]);
    expect(groups.map(({ scenarios }) => scenarios.length)).toEqual([...Array(12).fill(4), 3]);
    expect(limitMs).toBe(120_000);
    expect(await desk.ask("drills.start", { scenarios: ["S13"] })).toMatchObject({ result: "started" });
    await vi.waitFor(async () => expect(await desk.results()).toHaveLength(1), 60_000);
    const steps = desk.pushed
      .filter(({ event }) => event === "drill.progress")
      .flatMap(({ value }) => (value as Pushed<"drill.progress">).steps);
    const told = steps.map((step) => {
      if (step.kind === "event") return `${step.type}${step.operation === null ? "" : ` ${step.operation.phase}`}`;
      if (step.kind === "object") return `${step.holder} holds ${step.id} ${step.status}`;
      return step.kind === "call" ? step.call : step.kind === "fault" ? `${step.on} ${step.fault}` : step.kind;
    });
    const wanted = [
      "PublishStarted",
      "RequestSent create",
      "cms.create",
      "website holds 18427 published",
      "OutcomeUnknown create",
      "ReconcileStarted create",
      "cms.query",
      "RemoteConfirmed create",
      "Published",
      "mail holds 930 sent",
    ];
    // In this order; what happened in between is frozen in test/scenarios.
    const places = wanted.map((what) => told.indexOf(what));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(places).not.toContain(-1);
    expect(told).toContain("cms.create hang-after-commit");
    expect(told.filter((what) => what === "cms.create")).toHaveLength(1);
    const [result] = await desk.results();
    expect(result).toMatchObject({
      scenario: "S13",
      outcome: "played",
      facts: {
        state: "succeeded",
        posts: [{ id: "18427", status: "published" }],
        campaigns: [{ id: "930", status: "sent" }],
        mails: 63,
        violations: [],
        events: steps.filter(({ kind }) => kind === "event").length,
      },
    });
    expect(result?.facts?.calls["cms.create"]).toBe(1);
    const lengths = result?.timing?.phases.map(
      ({ at }, index, phases) => (at ?? 0) - (phases[index - 1]?.at ?? at ?? 0),
    );
    expect(lengths?.every((ms) => ms >= 0)).toBe(true);
    expect(result?.timing).toMatchObject({ stuck: "classified", targetMs: 1_800_000, beforeMs: null });
    expect(result?.timing?.totalMs).toBe(lengths?.slice(2).reduce((sum, ms) => sum + ms, 0));
    expect(result?.facts?.operations[0]).toMatchObject({ attempts: ["unknown timeout"], looks: ["confirmed 1"] });
    expect(changes(desk.pushed).map(({ running, ended }) => [running?.scenario, ended?.scenario])).toEqual([
      ["S13", undefined],
      [undefined, "S13"],
    ]);
    expect(desk.faults).toEqual([]);
    expect(readdirSync(folder)).toEqual(["drills-since.json", "drills.json"]);
    const reopened = desk.reopen();
    expect([reopened.read(), reopened.since]).toEqual([await desk.results(), SINCE]);
    const owed = changes(desk.pushed).map(({ duties: now }) => now.map(({ standing, done }) => [standing, done]));
    const run = result?.run ?? "";
    await expect(desk.ask("drills.judge", { run, alone: false, note: " " })).rejects.toThrow("bad_input: note");
    expect(await desk.ask("drills.judge", { run: "another", alone: true, note: "" })).toEqual({ result: "not_played" });
    const judged = await desk.ask("drills.judge", { run, alone: false, note: "whom to call is not in it" });
    expect(judged).toMatchObject({
      result: "noted",
      drills: { failed: [{ scenario: "S13" }], results: [{ runbook: { alone: false } }] },
    });
    // Whoever is told of it is told at its end and again at the judgement.
    expect(desk.told).toEqual([[], ["S13 memory"]]);
    expect((await desk.ask("drills.get", {})).duties[0]).toMatchObject({ standing: "overdue", done: 0 });
    expect(desk.reopen().read()).toEqual(await desk.results());
    expect(owed).toEqual([
      [
        ["overdue", 0],
        ["overdue", 0],
        ["overdue", 0],
      ],
      [
        ["done", 1],
        ["overdue", 0],
        ["overdue", 1],
      ],
    ]);
  }, 90_000);

  it("is refused by name while another is played, and an unknown one at once", async () => {
    const desk = openDesk(() => new Child());
    await desk.ask("drills.start", { scenarios: ["S01", "S02"] });
    expect(await desk.ask("drills.start", { scenarios: ["S02"] })).toEqual({ result: "busy", scenario: "S01" });
    expect(await desk.ask("drills.start", { scenarios: ["S99"] })).toEqual({
      result: "unknown_scenario",
      scenario: "S99",
    });
    await expect(desk.ask("drills.start", { scenarios: [] })).rejects.toThrow("bad_input: scenarios");
    expect((await desk.ask("drills.get", {})).running).toMatchObject({ scenario: "S01", waiting: ["S02"], steps: [] });
  });

  it("plays what waits when one has ended, and none of it after a cancel", async () => {
    const children: Child[] = [];
    const desk = openDesk(() => {
      const child = new Child();
      children.push(child);
      return child;
    });
    await desk.ask("drills.start", { scenarios: ["S01", "S02", "S03"] });
    expect(existsSync(join(folder, "drill"))).toBe(true);
    children[0]?.tell({ kind: "failed", reason: "the port was taken" });
    await vi.waitFor(() => expect(children).toHaveLength(2));
    expect(children[1]?.orders).toEqual([{ scenario: "S02", dir: join(folder, "drill"), samplesDir: SAMPLES }]);
    expect(await desk.ask("drills.cancel", {})).toEqual({ result: "cancelled" });
    await vi.waitFor(async () => expect((await desk.ask("drills.get", {})).running).toBeNull());
    expect((await desk.results()).map(({ scenario, outcome, detail }) => [scenario, outcome, detail])).toEqual([
      ["S02", "cancelled", null],
      ["S01", "failed", "the port was taken"],
    ]);
    expect((await desk.ask("drills.get", {})).failed.map(({ scenario }) => scenario)).toEqual(["S01"]);
    expect(children).toHaveLength(2);
    expect(existsSync(join(folder, "drill"))).toBe(false);
    expect(await desk.ask("drills.cancel", {})).toEqual({ result: "nothing_runs" });
  });

  it("trusts nothing that the child tells, and ends with it", async () => {
    const children: Child[] = [];
    const desk = openDesk(() => {
      const child = new Child();
      children.push(child);
      return child;
    });
    await desk.ask("drills.start", { scenarios: ["S01", "S02"] });
    children[0]?.tell({ kind: "steps", steps: [{ kind: "event", at: "now", type: "Published" }] });
    await vi.waitFor(() => expect(children).toHaveLength(2));
    expect(children[0]?.isEnded).toBe(true);
    // What comes too late is nobody's.
    children[0]?.tell({ kind: "steps", steps: [{ kind: "call", at: 1, call: "cms.create" }] });
    children[1]?.ended(134);
    await vi.waitFor(async () => expect(await desk.results()).toHaveLength(2));
    expect((await desk.results()).map(({ outcome, detail }) => [outcome, detail])).toEqual([
      ["failed", "ended_early 134"],
      ["failed", "unreadable_report"],
    ]);
    expect(desk.pushed.filter(({ event }) => event === "drill.progress")).toEqual([]);
  });

  it("is given up when it takes too long, and ends with the program", async () => {
    const late = openDesk(() => new Child(), 20);
    await late.ask("drills.start", { scenarios: ["S01"] });
    await vi.waitFor(async () => expect((await late.results())[0]).toMatchObject({ outcome: "over_time" }));

    const child = new Child();
    const desk = openDesk(() => child);
    await desk.ask("drills.start", { scenarios: ["S01"] });
    desk.runner.stop();
    expect([child.isEnded, existsSync(join(folder, "drill"))]).toEqual([true, false]);
  });
});
