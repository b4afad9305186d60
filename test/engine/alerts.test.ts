import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { JOURNAL_NAME, openReader } from "../../db/open";
import { openQueries } from "../../db/queries/open-queries";
import { createWorkspaceTime } from "../../main/adapters/trusted-time";
import type { Desk } from "../../main/commands/desk";
import type { AlertNotice, Notifier } from "../../main/commands/tell-alerts";
import { AlertDesk } from "../../main/compose/alert-desk";
import { NotifierMissing } from "../../main/compose/notifier-missing";
import { EDITOR, EngineWorld, type Program } from "./engine-world";

// Domain 10: an alert is told once, whoever starts the program how often; untouched it goes to the backup owner, once.

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** An edition whose publishing got no answer, and whose queries are refused until a person has to look. */
class LockedEdition {
  readonly world = new EngineWorld();
  readonly notices: AlertNotice[] = [];
  readonly faults: unknown[] = [];
  changes = 0;
  program: Program = this.world.start();
  desk = this.alertDesk();

  async happen(): Promise<this> {
    const { world, program } = this;
    world.create(program);
    world.cms.fates = ["lost"];
    world.cms.lookFates = Array.from({ length: 8 }, () => "down" as const);
    expect(await world.finish(program)).toBe("blocked");
    return this;
  }

  private reader() {
    const reader = openReader(join(this.world.dir, JOURNAL_NAME));
    onTestFinished(() => void reader.close());
    return reader;
  }

  alertDesk(notifier: Notifier | null = { tell: (notice) => void this.notices.push(notice) }): AlertDesk {
    const { world, program } = this;
    const desk = { actor: "system", journal: program.journal, clock: world.clock } as Partial<Desk>;
    return new AlertDesk({
      desk: { ...desk, trusted: createWorkspaceTime(world.clock) } as Desk,
      queries: openQueries(this.reader(), (hash) => program.journal.definitionOf(hash)),
      notifier,
      onChange: () => {
        this.changes += 1;
      },
      onFault: (error) => void this.faults.push(error),
    });
  }

  restart(notifier?: Notifier | null): void {
    this.program.executor.releaseAll();
    this.program = this.world.start("b");
    this.desk = this.alertDesk(notifier);
  }

  async later(ms: number): Promise<void> {
    await this.world.clock.advanceTo(this.world.clock.now() + ms);
  }

  events(): string[] {
    return this.world
      .events()
      .filter(({ type }) => type.startsWith("Alert"))
      .map(({ type, payload }) => {
        const { code, to, how } = payload as Record<string, string>;
        return [type, code, to, how].filter((part) => part !== undefined).join(" ");
      });
  }

  alert(code = "operation_locked") {
    return this.world
      .view(this.program)
      .alerts()
      .find((row) => row.code === code);
  }
}

const TOLD = ["AlertTold operation_locked owner notification", "AlertTold blocked_outcome_unknown owner notification"];

describe("an unknown outcome that the queries cannot clear", () => {
  test("is told once, with both of its alerts in one notice, and acknowledged; a restart tells nothing again", async () => {
    const edition = await new LockedEdition().happen();
    edition.desk.runOnce();
    expect(edition.notices).toMatchObject([
      { edition: "2026-W30", urgency: "five_minutes", isEscalation: false, more: 1 },
    ]);
    expect(edition.events().sort()).toEqual([...TOLD].sort());
    edition.desk.runOnce();
    edition.restart();
    edition.desk.runOnce();
    expect(edition.notices).toHaveLength(1);
    const { task, alerts } = edition.world.view(edition.program);
    for (const { id } of alerts())
      edition.world.person(edition.program, { type: "acknowledge_alert", taskId: task.id, alertId: id, note: "" });
    expect(edition.alert()).toMatchObject({ acknowledgedBy: EDITOR });
    await edition.later(48 * HOUR);
    edition.restart();
    edition.desk.runOnce();
    expect(edition.notices).toHaveLength(1);
    expect(edition.events().filter((event) => event.startsWith("AlertEscalated"))).toEqual([]);
    expect(edition.world.violations()).toEqual([]);
    expect(edition.faults).toEqual([]);
  });

  test("escalates once where the laptop slept through its time, and says so in one notice", async () => {
    const edition = await new LockedEdition().happen();
    edition.desk.runOnce();
    await edition.later(30 * HOUR);
    for (let pass = 0; pass < 3; pass += 1) edition.desk.runOnce();
    edition.restart();
    edition.desk.runOnce();
    expect(edition.notices.map(({ isEscalation }) => isEscalation)).toEqual([false, true]);
    expect(edition.events().filter((event) => event.startsWith("AlertEscalated"))).toHaveLength(2);
    const escalatedAt = edition.world.clock.now();
    await edition.later(60 * HOUR);
    edition.desk.runOnce();
    expect(edition.alert()?.escalatedAt).toBe(escalatedAt);
    expect(edition.events().filter((event) => event.startsWith("AlertEscalated operation_locked"))).toHaveLength(1);
  });

  test("carries everything that is needed to act on it", async () => {
    const edition = await new LockedEdition().happen();
    const { task, operations } = {
      ...edition.world.view(edition.program),
      operations: edition.world.view(edition.program).operations(),
    };
    const [create] = operations;
    const details = JSON.parse(edition.alert()?.details ?? "{}");
    expect(details).toMatchObject({
      ...{ taskKey: task.taskKey, deadlineAt: task.deadlineAt, owner: task.owner, backupOwner: task.backupOwner },
      operations: [{ operationKey: create?.operationKey, intentHash: create?.intentHash, remoteId: null }],
      lastApproval: { scope: "publish", approver: EDITOR, revokedAt: null },
      freezes: [],
    });
  });

  test("is over when a person has given a verdict, and then nobody is told", async () => {
    const edition = await new LockedEdition().happen();
    const { task } = edition.world.view(edition.program);
    const [create] = edition.world.view(edition.program).operations();
    if (!create) throw new Error("nothing was prepared");
    const verdict = {
      type: "give_verdict",
      taskId: task.id,
      operationId: create.id,
      verdict: "did_not_happen",
    } as const;
    edition.world.person(edition.program, { ...verdict, remoteId: null, evidence: "the site's list, seen by me" });
    edition.desk.runOnce();
    expect(edition.events()).toContain("AlertSettled operation_locked");
    expect(edition.alert()).toMatchObject({ toldAt: null, acknowledgedAt: null });
    expect(edition.alert()?.settledAt).not.toBeNull();
  });
});

describe("a notifier", () => {
  test("that throws stops nothing, is visible, and is not tried again for what the inbox has told", async () => {
    const edition = await new LockedEdition().happen();
    let tries = 0;
    edition.desk = edition.alertDesk({
      tell: () => {
        tries += 1;
        throw new Error("no permission");
      },
    });
    edition.desk.runOnce();
    edition.desk.runOnce();
    expect(tries).toBe(1);
    expect(edition.desk.notifier).toMatchObject({ state: "failed" });
    expect(edition.faults).toEqual([]);
    expect(edition.events()).toContain("AlertTold operation_locked owner inbox");
    // The engine goes on: the block's expiry is seen.
    const { task, definition } = edition.world.view(edition.program);
    await edition.later(
      (definition.blocked["outcome_unknown"]?.expiresAfterMs ?? 0) + task.stateSince - edition.world.clock.now(),
    );
    await edition.world.pass(edition.program);
    expect(edition.world.events().map(({ type }) => type)).toContain("BlockedExpired");
  });

  test("that could not show what it had taken says so later, and the inbox says it", async () => {
    const edition = await new LockedEdition().happen();
    edition.desk.runOnce();
    expect(edition.desk.notifier.state).toBe("works");
    const before = edition.changes;
    edition.desk.notShown(new Error("dismissed by the system"));
    expect(edition.desk.notifier.state).toBe("failed");
    expect(edition.changes).toBe(before + 1);
  });

  test("that the system has not is told apart from one that fails; without any, the inbox tells", async () => {
    const edition = await new LockedEdition().happen();
    edition.desk = edition.alertDesk({
      tell: () => {
        throw new NotifierMissing("none");
      },
    });
    edition.desk.runOnce();
    expect(edition.desk.notifier.state).toBe("unsupported");
    edition.restart(null);
    await edition.later(HOUR);
    edition.desk.runOnce();
    expect(edition.desk.notifier).toEqual({ state: "untried", at: null });
    expect(edition.events()).toContain("AlertEscalated operation_locked backup inbox");
  });

  test("hears of a recovery item that nobody has touched for a day, once", async () => {
    const edition = await new LockedEdition().happen();
    await edition.later(25 * HOUR);
    edition.desk.runOnce();
    edition.desk.runOnce();
    const untouched = () => edition.world.events().filter(({ type }) => type === "RecoveryItemUntouched");
    expect(untouched()).toHaveLength(1);
    expect(edition.alert("recovery_untouched")).toMatchObject({ urgency: "one_hour", times: 1 });
  });
});

test("the loop tells by itself what was committed, and what the clock makes due, until it is stopped", async () => {
  const edition = await new LockedEdition().happen();
  const running = edition.desk.start();
  expect(edition.notices).toHaveLength(1);
  await edition.later(2_000);
  await edition.later(6 * MINUTE);
  expect(edition.notices.map(({ isEscalation }) => isEscalation)).toEqual([false, true]);
  edition.desk.stop();
  edition.desk.nudge();
  await running;
  expect(edition.changes).toBe(2);
});

test("the loop is woken by a commit, long before it would look by itself", async () => {
  const edition = new LockedEdition();
  const running = edition.desk.start();
  edition.program.journal.onCommit(() => edition.desk.nudge());
  await edition.happen();
  expect(edition.notices).toEqual([]);
  edition.desk.nudge();
  await new Promise((resolve) => setImmediate(resolve));
  await edition.later(2_000);
  expect(edition.notices).toHaveLength(1);
  edition.desk.stop();
  await running;
});
