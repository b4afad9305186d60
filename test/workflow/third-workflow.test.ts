import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readPackage } from "../../main/adapters/workflow/read-package";
import { manifestNamed } from "../../main/compose/own-workflows";
import { judgeWorkflow, workflowVerdict } from "../../main/domain/judge-workflow";
import { validateWorkflow } from "../../main/domain/validate-workflow";
import type { WorkflowPackage } from "../../main/domain/workflow-package";
import { testFolder } from "../db/journal-file";
import { MembershipWorld } from "../pipeline/membership-world";

// Domain 13: the next workflow is a folder that is filled in, and nothing of engine or journal knows which workflow it runs.

const TEMPLATE = "main/templates/next-workflow";
const MEMBERS = "membership-sandbox";
const MESSAGES = "messages-sandbox";

const answersOf = (adapter: string) => {
  const manifest = manifestNamed(adapter);
  if (manifest === null) throw new Error(adapter);
  const { key, query, retry, approvalBinds, compensation } = manifest;
  return { key, query, retry, approvalBinds, compensation };
};

/** Vouchers are held while somebody disputes them: the template with its blanks filled in, as a person would. */
function holdVouchers(edit: (name: string, text: string) => string = (_name, text) => text): string {
  const dir = testFolder();
  cpSync(TEMPLATE, dir, { recursive: true });
  const fill = (name: string, change: (value: never) => unknown) => {
    const value = JSON.parse(readFileSync(join(dir, name), "utf8")) as never;
    writeFileSync(join(dir, name), edit(name, JSON.stringify(change(value))));
  };
  fill("definition.json", (value: object) => ({
    ...JSON.parse(JSON.stringify(value).replaceAll("owner-to-be-named", "voucher_desk")),
    ...{ name: "voucher-hold", backupOwner: "voucher_backup" },
  }));
  fill("workflow.json", (value: object) => ({
    ...value,
    subject: { title: { en: "Member", "zh-CN": "会员" }, pattern: "^U-\\d+$" },
  }));
  fill("actions.json", (value: { chain: object }) => ({
    actions: [
      {
        ...{
          name: "hold_vouchers",
          step: "working",
          adapter: MEMBERS,
          phase: "update",
          grade: "B",
          segment: "working",
        },
        answers: answersOf(MEMBERS),
      },
      {
        ...{
          name: "tell_member",
          step: "working",
          adapter: MESSAGES,
          phase: "deliver",
          grade: "C",
          segment: "working",
        },
        answers: answersOf(MESSAGES),
      },
    ],
    chain: {
      ...value.chain,
      begins: {
        ...{ service: MEMBERS, place: "vouchers", requires: "usable", event: "WorkStarted" },
        ...{ blockedEvent: "WorkBlocked", blockedReason: "subject_not_ready" },
      },
      actions: [
        {
          ...{ name: "hold_vouchers", place: "vouchers", service: MEMBERS, phase: "update", state: "frozen" },
          ...{ heedsRevision: false, message: null },
          undo: {
            ...{ by: "program", action: "release_vouchers", targetState: "as_before" },
            ...{ precondition: "vouchers_still_held", verification: "vouchers_asked" },
          },
        },
        {
          ...{
            name: "tell_member",
            place: "sms",
            service: MESSAGES,
            phase: "deliver",
            state: null,
            heedsRevision: false,
          },
          message: { en: "The vouchers of {subject} are on hold.", "zh-CN": "{subject} 的优惠券已暂停使用。" },
          undo: {
            ...{ by: "person", action: "call_member", targetState: "member_told" },
            ...{ precondition: "the_rest_is_undone", verification: "note_and_link" },
          },
        },
      ],
    },
  }));
  return dir;
}

function read(dir: string): WorkflowPackage & { chain: NonNullable<WorkflowPackage["chain"]> } {
  const found = readPackage(dir);
  if ("faults" in found) throw new Error(JSON.stringify(found.faults));
  const { chain } = found.package;
  if (chain === null) throw new Error("the package has no chain");
  return { ...found.package, chain };
}

describe("a third workflow, from the template", () => {
  test("is in order, and stops for a person only where nobody else could tell what became of it", () => {
    const workflow = read(holdVouchers());
    expect(validateWorkflow(workflow, new Set(workflow.faults))).toEqual([]);
    const judged = judgeWorkflow(workflow.actions, manifestNamed);
    expect(judged.map(({ action, verdict }) => [action, verdict])).toEqual([
      ["hold_vouchers", "automatic"],
      ["tell_member", "in_parts"],
    ]);
    expect(workflowVerdict(judged)).toBe("in_parts");
  });

  test.each([
    ["chain.heldEvent", (text: string) => text.replace('"heldEvent":"WorkHeld"', '"heldEvent":"WorkDone"')],
    ["cancelsPreparedOnLeaving", (text: string) => text.replace('Leaving":[]', 'Leaving":["working"]')],
    [
      "blocked.outcome_unknown.waysOut",
      (text: string) => text.replace(/(@resume","guards":\["nothing_un)answered/, "$1settled"),
    ],
  ])("that could not go on after a person's word is refused, by its field (%s)", (field, spoil) => {
    const workflow = read(holdVouchers((_name, text) => spoil(text)));
    expect(validateWorkflow(workflow, new Set(workflow.faults)).map((found) => found.field)).toEqual([field]);
  });

  test("runs to its end on the real engine, once each", async () => {
    const world = await MembershipWorld.open(read(holdVouchers()));
    await world.drive();
    expect(world.view().task).toMatchObject({ pipeline: "voucher-hold", state: "succeeded", owner: "voucher_desk" });
    const remote = await world.remotely();
    expect(remote).toMatchObject({ statusCalls: 0, voucherCalls: 1, messageCalls: 1 });
    expect(remote.members[0].vouchers.every(({ status }: { status: string }) => status === "frozen")).toBe(true);
    expect(world.violations()).toEqual([]);
  });

  test("takes back what it did where the message's answer is lost, and hands the rest to a person", async () => {
    const world = await MembershipWorld.open(read(holdVouchers()));
    await world.fault({ on: "message.send", fault: "drop-after-commit", times: 1 });
    await world.drive();
    expect(world.view().task.state).toBe("compensating");
    expect(world.entry("release_vouchers").state).toBe("done");
    const remote = await world.remotely();
    expect(remote.members[0].vouchers.every(({ status }: { status: string }) => status === "usable")).toBe(true);
    expect(world.tell("happened").result).toBe("applied");
    await world.drive();
    expect(world.close("call_member").result).toBe("applied");
    await world.drive();
    expect(world.view().task.state).toBe("compensated");
    expect(world.violations()).toEqual([]);
  });
});
