import { describe, expect, test } from "vitest";
import { planHash } from "../../main/domain/compensation";
import type { PipelineDefinition } from "../../main/domain/definition";
import { asOperationId, asTaskId } from "../../main/domain/ids";
import type { WriteAnswer } from "../../main/domain/ports";
import { describeIntents, validateActions } from "../../main/domain/validate-definition";
import { leftoversOf } from "../../main/headless/leftovers";
import { chainIntents } from "../../main/pipeline/action-chain/intents";
import { briefingDefinition } from "../../main/pipeline/briefing/definition";
import { membershipChain } from "../../main/pipeline/membership-cancellation/chain";
import { membershipDefinition } from "../../main/pipeline/membership-cancellation/definition";
import { chainPorts } from "../../main/pipeline/membership-cancellation/ports";
import { killAt, notePoints } from "../engine/compensator-world";
import { sampledPoints } from "../support/sampled-points";
import { MembershipWorld } from "./membership-world";

const LOST = { on: "message.send", fault: "drop-after-commit", times: 1 };
const AS_BEFORE = { status: "active", vouchers: ["V-1", "V-2", "V-3"].map((id) => ({ id, status: "usable" })) };

describe("a membership's cancellation", () => {
  test("goes through: status, vouchers, message, once each", async () => {
    const world = await MembershipWorld.open();
    await world.drive();
    expect(world.view().task.state).toBe("succeeded");
    const remote = await world.remotely();
    expect(remote).toMatchObject({ statusCalls: 1, voucherCalls: 1, messageCalls: 1 });
    expect(remote.members[0]).toMatchObject({ status: "cancelling" });
    expect(remote.members[0].vouchers.every(({ status }: { status: string }) => status === "frozen")).toBe(true);
    expect(world.violations()).toEqual([]);
  });

  test("the message's answer is lost: nobody can be asked, so the rest takes itself back and a person follows up", async () => {
    const world = await MembershipWorld.open();
    await world.fault(LOST);
    await world.drive();
    expect(world.view().task.state).toBe("compensating");
    expect(world.operation("sms").state).toBe("locked");
    const remote = await world.remotely();
    expect(remote.members[0]).toMatchObject(AS_BEFORE);
    expect(remote.messageCalls).toBe(1);
    expect(world.entry("release_frozen_vouchers").state).toBe("done");
    expect(world.entry("restore_member_status").state).toBe("done");
    // Nothing is closed over a message of which nobody has said whether it is out.
    expect(world.close("follow_up_sms")).toMatchObject({ result: "guard_failed" });
    expect(world.tell("happened").result).toBe("applied");
    await world.drive();
    expect(world.entry("follow_up_sms").state).toBe("running");
    expect(world.close("follow_up_sms").result).toBe("applied");
    await world.drive();
    expect(world.view().task.state).toBe("compensated");
    expect(world.violations()).toEqual([]);
  });

  test("it turns out that the message never left: nobody needs to be told", async () => {
    const world = await MembershipWorld.open();
    await world.fault({ ...LOST, fault: "drop-before-commit" });
    await world.drive();
    expect(world.tell("did_not_happen").result).toBe("applied");
    await world.drive();
    expect(world.view().task.state).toBe("compensated");
    expect(world.entry("follow_up_sms").state).toBe("not_needed");
    expect((await world.remotely()).messages).toEqual([]);
  });

  test("the message is refused: a definite no, so everything ends by itself", async () => {
    const world = await MembershipWorld.open();
    await world.fault({ on: "message.send", fault: "status", params: { status: 400 } });
    await world.drive();
    expect(world.view().task.state).toBe("compensated");
    expect((await world.remotely()).members[0]).toMatchObject(AS_BEFORE);
    expect(world.violations()).toEqual([]);
  });

  test("the vouchers' answer is lost, then the message refused: found by asking, and released", async () => {
    const world = await MembershipWorld.open();
    await world.fault({ on: "voucher.status", fault: "drop-after-commit", times: 1 });
    await world.fault({ on: "message.send", fault: "status", params: { status: 400 } });
    await world.drive();
    expect(world.view().task.state).toBe("compensated");
    expect(await world.remotely()).toMatchObject({ voucherCalls: 2, members: [AS_BEFORE] });
  });

  test("a lost write that is proven absent goes out anew when a person says so: two thirds of the writes are covered", async () => {
    const world = await MembershipWorld.open();
    await world.fault({ on: "voucher.status", fault: "drop-before-commit", times: 1 });
    await world.drive();
    expect(world.view().task).toMatchObject({ state: "blocked", blockedReason: "outcome_unknown" });
    expect(world.reasonOf("CancellationHeld")).toBe("idempotency_coverage");
    expect(await world.remotely()).toMatchObject({ voucherCalls: 1, messageCalls: 0 });
    expect(world.operation("sms").state).toBe("prepared");
    expect(world.sendAnew()).toMatchObject({ result: "applied" });
    await world.drive();
    expect(world.view().task.state).toBe("succeeded");
    expect(await world.remotely()).toMatchObject({ statusCalls: 1, voucherCalls: 2, messageCalls: 1 });
    expect(world.violations()).toEqual([]);
  });

  test("a task that began before there was a place to wait goes on as it did: it keeps its definition", async () => {
    const transitions = membershipDefinition.transitions.filter(({ event }) => event !== "CancellationHeld");
    const before = { ...membershipDefinition, version: 1, transitions } as unknown as PipelineDefinition;
    const world = await MembershipWorld.open({ definition: before, chain: membershipChain });
    await world.fault({ on: "voucher.status", fault: "drop-before-commit", times: 1 });
    await world.drive();
    expect(world.view().task.state).toBe("succeeded");
  });

  test.each([
    ["CompensationStarted", "compensated", AS_BEFORE],
    ["ClosedProtectively", "closed", { ...AS_BEFORE, status: "cancelling" }],
  ])("asked for that word, a person may choose otherwise (%s): nothing further leaves", async (event, end, left) => {
    const world = await MembershipWorld.open();
    await world.fault({ on: "voucher.status", fault: "drop-before-commit", times: 1 });
    await world.drive();
    const reason = "the member has called";
    const payload = { planHash: planHash(world.view().compensations()) };
    const said = world.execute({ type: "transition", taskId: world.taskId, event, reason, payload });
    expect(said).toMatchObject({ result: "applied" });
    await world.drive();
    expect(world.view().task.state).toBe(end);
    expect(world.operation("sms").state).toBe("cancelled");
    expect(await world.remotely()).toMatchObject({ voucherCalls: 1, messageCalls: 0, members: [left] });
    expect(world.violations()).toEqual([]);
  });

  test("three calls to a gateway that is not there, and no fourth", async () => {
    const world = await MembershipWorld.open();
    await world.fault({ on: "message.send", fault: "status", times: 99, params: { status: 503 } });
    await world.drive();
    expect(world.view().task.state).toBe("compensated");
    expect((await world.remotely()).messageCalls).toBe(3);
    expect((await world.remotely()).members[0]).toMatchObject(AS_BEFORE);
  });

  test("somebody else has cancelled the member meanwhile: not brought back over their decision", async () => {
    const world = await MembershipWorld.open();
    await world.fault(LOST);
    const executor = world.executor();
    for (let pass = 0; pass < 20 && world.view().task.state !== "compensating"; pass += 1) await executor.runOnce();
    await world.cancelByHand();
    world.world.now += 60_000;
    await world.drive(executor);
    const entry = world.entry("restore_member_status");
    expect((await world.remotely()).members[0].status).toBe("cancelled");
    expect(entry.state === "failed" ? entry.code : entry.state).toBe("precondition_changed");
  });

  test("a member who is not active is nobody's to cancel", async () => {
    const world = await MembershipWorld.open();
    await world.cancelByHand();
    world.world.now += 10_000;
    await world.executor().runOnce();
    expect(world.view().task).toMatchObject({ state: "blocked", blockedReason: "member_not_active" });
    expect((await world.remotely()).statusCalls).toBe(1);
  });

  test("nor one of whom that is not to be seen yet: the write says what it was made for, and is refused", async () => {
    const world = await MembershipWorld.open();
    await world.cancelByHand();
    await world.drive();
    expect(world.view().task.state).toBe("compensated");
    expect(world.entry("restore_member_status").state).toBe("not_needed");
    expect((await world.remotely()).members[0]).toMatchObject({ ...AS_BEFORE, status: "cancelled" });
  });
});

test("the process dies at every commit and call of the way and of the way back: one effect each", {
  timeout: 240_000,
}, async () => {
  const whole = async (world: MembershipWorld, killed: () => Promise<boolean>, where: string) => {
    await world.fault(LOST);
    expect(await killed(), where).toBe(true);
    // Killed right before it left, a write is proven absent; a person lets it go out anew (as often as it was killed).
    if (world.view().task.state === "blocked") expect(world.sendAnew(), where).toMatchObject({ result: "applied" });
    await world.drive();
    if (world.operation("sms").state === "locked") world.tell("happened");
    await world.drive();
    if (world.entry("follow_up_sms").state === "running") world.close("follow_up_sms");
    await world.drive();
    expect(world.view().task.state, where).toBe("compensated");
    const remote = await world.remotely();
    expect(remote.members[0], where).toMatchObject(AS_BEFORE);
    expect(remote, where).toMatchObject({ statusCalls: 2, voucherCalls: 2 });
    // Killed right before it left, the message is one of which nobody can say: it is not sent a second time.
    expect(remote.messages.length, where).toBeLessThanOrEqual(1);
    expect(remote.messageCalls, where).toBeLessThanOrEqual(1);
    expect(world.violations(), where).toEqual([]);
  };
  const noted = notePoints();
  const calm = await MembershipWorld.open();
  const goOn = async () => {
    await calm.drive(calm.executor(noted));
    return true;
  };
  await whole(calm, goOn, "without a crash");
  expect(noted.points.length).toBeGreaterThan(60);
  for (const { point, times } of sampledPoints(noted.points, 0, 2)) {
    const world = await MembershipWorld.open();
    await whole(world, () => world.driveKilled(killAt(point, times)), `${point} (${times})`);
  }
});

/**
 * The order of registering, tried as the origin tried it: the same three writes, the last of which has its effect and then
 * throws. Registered after the call, that one is on no stack; registered before it, it is.
 */
const AS_ASKED = { subject: "U-88", text: null, expectedRevision: null };

async function naive(world: MembershipWorld, registersBefore: boolean): Promise<string[]> {
  const before = await world.remotely();
  const ports = world.ports();
  const intents = chainIntents(chainPorts(ports), membershipChain, world.view(), "active");
  const stack: (typeof intents)[number][] = [];
  const send = async (key: string, target: string, phase: "update" | "deliver" | "undo", bytes: Uint8Array) => {
    const adapter = phase === "deliver" ? ports.messages.adapter : ports.members.adapter;
    const about = {
      operationId: asOperationId(key),
      operationKey: key,
      taskId: asTaskId("t"),
      slot: "",
      remoteId: null,
    };
    const context = { signal: AbortSignal.timeout(5_000), now: world.world.now };
    return adapter.send({ ...about, kind: "effect", phase, target, bytes }, context);
  };
  for (const intent of intents) {
    if (registersBefore) stack.push(intent);
    const key = `${intent.intentKey}:${intent.phase}`;
    const state = intent.slot.endsWith("vouchers") ? "frozen" : "cancelling";
    const service = intent.phase === "deliver" ? ports.messages : ports.members;
    const bytes = service.request({ operationKey: key, subject: "U-88", state, text: "x", expectedRevision: null });
    const answer: WriteAnswer = await send(key, intent.target, intent.phase as "update" | "deliver", bytes);
    if (answer.kind !== "confirmed") break;
    if (!registersBefore) stack.push(intent);
  }
  const manual: string[] = [];
  for (const { compensation, target } of stack.reverse()) {
    if (compensation?.grade === "C") {
      manual.push(compensation.action);
      continue;
    }
    const state = String(compensation?.args["targetState"]);
    const key = `compensate:${target}`;
    await send(key, target, "undo", ports.members.request({ ...AS_ASKED, operationKey: key, state }));
  }
  return leftoversOf(before, await world.remotely(), manual);
}

describe("when the undo is registered", () => {
  test("after the call: exactly one dirty record; before it: none", async () => {
    const late = await MembershipWorld.open();
    await late.fault(LOST);
    expect(await naive(late, false)).toEqual(["message 5001 to U-88 is with nobody"]);
    const early = await MembershipWorld.open();
    await early.fault(LOST);
    expect(await naive(early, true)).toEqual([]);
  });

  test("here it is before, and the journal lets no call leave otherwise", async () => {
    const world = await MembershipWorld.open();
    const before = await world.remotely();
    await world.fault(LOST);
    await world.drive();
    world.tell("happened");
    await world.drive();
    world.close("follow_up_sms");
    await world.drive();
    expect(leftoversOf(before, await world.remotely(), ["follow_up_sms"])).toEqual([]);
    const types = world.world.database.sqlite
      .prepare<[], { type: string }>("SELECT type FROM event ORDER BY seq")
      .all()
      .map((row) => row.type);
    expect(types.lastIndexOf("CompensationRegistered")).toBeLessThan(types.indexOf("RequestSent"));
    const bare = "UPDATE operation SET compensation_id = NULL WHERE kind = 'effect'";
    expect(() => world.world.database.sqlite.exec(bare)).toThrow(/I03|i07/);
  });
});

describe("nothing is hard-wired to the first pipeline", () => {
  test("no gates, no approvals, another start of undoing; the engine and the domain are the same", () => {
    expect(membershipDefinition.gates).toEqual({});
    expect(membershipDefinition.startCompensation).toBe("automatic");
    expect(briefingDefinition.startCompensation).toBe("by_person");
  });

  test("the validator agrees: what only a person can follow up comes last", async () => {
    const world = await MembershipWorld.open();
    const intents = chainIntents(chainPorts(world.ports()), membershipChain, world.view(), "active");
    expect(validateActions(describeIntents(intents))).toEqual([]);
    const [status, vouchers, message] = intents;
    if (!status || !vouchers || !message) throw new Error("three writes");
    const turned = describeIntents([{ ...message, automatic: true }, vouchers, status]);
    expect(validateActions(turned).map((fault) => fault.rule)).toEqual(["write_after_grade_c"]);
  });
});
