import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createSystemClock } from "../../main/adapters/clock";
import { createWorkspaceClock } from "../../main/adapters/workspace-clock";
import type { ChildProgram, StartChild } from "../../main/compose/child-program";
import { drillHandlers } from "../../main/compose/drill-handlers";
import { LedPlay } from "../../main/compose/drill-led-play";
import type { DrillRecord } from "../../main/compose/drill-record";
import { DrillRunner } from "../../main/compose/drill-runner";
import { drillTroubles } from "../../main/domain/drill-trouble";
import { openDrill } from "../../main/headless/drill";
import { openDrillResults } from "../../main/shell/drill-results";
import type { Handlers } from "../../main/shell/handlers";
import { answer, pushable } from "../../main/shell/ipc-answer";
import type { Channel, Output, PushEvent, Pushed } from "../../preload/contract";

/** Years ago: what was never drilled since is overdue. */
const SINCE = Date.UTC(2020, 0, 1);
const SAMPLES = join(import.meta.dirname, "../../main/sandbox/samples");

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "imprimatur-drills-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const named = (name: string) => ({ name, about: null });
const NOTHING = { last: null, runbook: null, facts: [], operations: [], undo: [], remote: null };

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
  private readonly hear = openDrill((report) => this.tell(structuredClone(report)));
  override send(message: unknown): void {
    this.hear(message);
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
  const handlers = Promise.resolve(drillHandlers(runner) as unknown as Handlers);
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
      ["recoveries", "overdue", "S37"],
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
        ["overdue", 0],
        ["overdue", 0],
        ["overdue", 0],
      ],
    ]);
  }, 90_000);

  it("stops where a person decides: S16 from the unknown to its proof, then wrongly by another", async () => {
    const desk = openDesk(() => new PlayingChild());
    const asked = async (number: number) => {
      const running = await vi.waitFor(async () => {
        const { running: now } = await desk.ask("drills.get", {});
        expect(now?.question?.number).toBe(number);
        return now;
      }, 20_000);
      return { run: running?.run ?? "", number, question: running?.question };
    };
    const reply = async (number: number, choice: string) => {
      const { run, question } = await asked(number);
      expect(await desk.ask("drills.answer", { run, number, choice: "send_again" })).toEqual({ result: "not_asked" });
      expect(await desk.ask("drills.answer", { run, number, choice })).toEqual({ result: "taken" });
      expect(await desk.ask("drills.answer", { run, number, choice })).toEqual({ result: "not_asked" });
      return question;
    };
    expect(await desk.ask("drills.start", { scenarios: ["S01"], led: true })).toEqual({
      ...{ result: "not_led", scenario: "S01" },
    });
    await expect(desk.ask("drills.start", { scenarios: ["S13", "S14"], led: true })).rejects.toThrow(
      "bad_input: scenarios",
    );
    await desk.ask("drills.start", { scenarios: ["S16"], led: true });
    const first = await reply(1, "wrong_audience");
    expect(first).toMatchObject({ what: "classify", runbook: null, remote: null });
    expect(first?.operations.map(({ state }) => state)).toEqual(["unknown"]);
    expect(await reply(2, "unknown_publish")).toMatchObject({ last: { answer: "other_case" } });
    const unknown = await reply(3, "look");
    expect(unknown).toMatchObject({ what: "decide", runbook: { kind: "unknown_publish" }, remote: null });
    expect(unknown?.runbook?.steps[1]?.words.en).toContain("ask cms-sandbox by the key publish:weekly-briefing:");
    const steps: string[] = ["wait", "close_incident 18427", "take_down 18428", "close_incident 18427"];
    for (const [index, choice] of steps.entries()) await reply(4 + index, choice);
    // The runbook and the remote's own screen are those of what it has become.
    expect(await reply(8, "verdict_happened 18427")).toMatchObject({
      runbook: { kind: "duplicate_remote" },
      remote: { posts: [{ status: "published" }, { status: "draft" }], mails: 0 },
    });
    await reply(9, "unblock publishing");
    await reply(10, "verified");
    await vi.waitFor(async () => expect(await desk.results()).toHaveLength(1), 20_000);
    const [result] = await desk.results();
    expect(result).toMatchObject({
      outcome: "played",
      facts: { state: "succeeded", mails: 63, violations: [], incidents: ["duplicate_remote closed"] },
      timing: { targetMs: 1_800_000, beforeMs: null },
    });
    const phases = result?.timing?.phases.map(({ at }) => at ?? Number.NaN) ?? [];
    expect(phases.every(Number.isFinite)).toBe(true);
    expect(phases).toEqual([...phases].sort((a, b) => a - b));
    expect(phases[0]).toBe(result?.startedAt);
    expect(result?.led?.decisions.map(({ isRight }) => isRight)).toEqual([false, ...Array(9).fill(true)]);
    // One wrong word about the case, and it has failed: a right end by a wrong path fails.
    expect(desk.told).toEqual([["S16 decision"]]);

    // Compared with a person's play of before; what is left wrong is not proved.
    await desk.ask("drills.start", { scenarios: ["S45"], led: true });
    await reply(1, "wrong_page_live");
    await reply(2, "finish");
    await reply(3, "verified");
    await vi.waitFor(async () => expect(await desk.results()).toHaveLength(2), 20_000);
    const [second] = await desk.results();
    expect(second?.led?.decisions.map(({ what, isRight }) => [what, isRight])).toEqual([
      ["classify", true],
      ["decide", false],
      ["verify", false],
    ]);
    expect(second?.timing?.phases.at(-1)).toEqual({ phase: "verified", at: null });
    expect(desk.faults).toEqual([{ channel: "drills.start", code: "ipc_bad_input", field: "scenarios" }]);
  }, 60_000);

  it("times a person by the moments of their answers, and hears none to a question that it does not ask", async () => {
    const clock = createWorkspaceClock({ start: 1_000 });
    const led = new LedPlay(clock, 0);
    const ask = (number: number, what: "classify" | "decide" | "verify", right: string) =>
      led.ask({ question: { ...NOTHING, number, what, choices: ["a", "b"].map(named) }, right: [right] });
    const answer = async (number: number, choice: string, afterMs: number) => {
      await clock.advanceBy(afterMs);
      return led.answer({ number, choice });
    };
    expect(await answer(1, "a", 0)).toBeNull();
    ask(1, "classify", "a");
    expect(await answer(1, "b", 10)).toEqual({ number: 1, choice: "b" });
    ask(2, "classify", "a");
    expect([await answer(1, "a", 0), await answer(2, "c", 0)]).toEqual([null, null]);
    await answer(2, "a", 10);
    ask(3, "decide", "a");
    await answer(3, "a", 100);
    ask(4, "verify", "b");
    await answer(4, "b", 5);
    expect(led.question).toBeNull();
    expect(led.time("S48")).toMatchObject({ stuck: "decided", totalMs: 125, targetMs: 16 * 60_000 });
    expect(led.time("S13").phases.map(({ at }) => at)).toEqual([0, 1_000, 1_020, 1_120, 1_120, 1_125]);
    expect(led.led().decisions.map(({ isRight, tookMs }) => [isRight, tookMs])).toEqual([
      [false, 10],
      [true, 10],
      [true, 100],
      [true, 5],
    ]);
    clock.stop();
  });

  it.each([
    ["S38", ["unknown_send", "wait", "verified"], "succeeded", 63],
    ["S40", ["unknown_send", "verdict_did_not_happen", "close_protectively", "verified"], "closed", 0],
    [
      "S46",
      ["wrong_page_live", "start_compensation", "close_undo point_page_back", "start_version", "verified"],
      "awaiting_send_approval",
      0,
    ],
  ])(
    "%s has a way that is right from its first question to its last",
    async (scenario, choices, state, mails) => {
      const waiting = [...choices];
      const rights: string[][] = [];
      const facts = await new Promise((resolve, reject) => {
        const hear = openDrill((report) => {
          if (report.kind === "played") resolve(report.facts);
          if (report.kind === "failed") reject(new Error(report.reason));
          if (report.kind !== "asks") return;
          rights.push(report.right);
          const { number } = report.question;
          setImmediate(() => hear({ number, choice: waiting.shift() }));
        });
        hear({ scenario, dir: folder, samplesDir: SAMPLES, led: true });
      });
      expect(choices.map((choice, index) => rights[index]?.includes(choice))).toEqual(choices.map(() => true));
      expect(rights).toHaveLength(choices.length);
      expect(facts).toMatchObject({ state, mails, violations: [], calls: { "cms.create": 1 } });
    },
    30_000,
  );

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
