import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readPackage } from "../../main/adapters/workflow/read-package";
import type { Handlers } from "../../main/compose/channel-handlers";
import { workflowHandlers } from "../../main/compose/workflow-handlers";
import { definitionHash } from "../../main/domain/definition";
import { answer } from "../../main/shell/ipc-answer";
import type { Channel, Input, Output } from "../../preload/contract";
import { testFolder } from "../db/journal-file";

// Domain 13: the wizard's five answers decide what may happen by itself, and become a package that can be checked.

function desk(folder: string | null) {
  const handlers = workflowHandlers({ chooseNew: async () => folder }, "main/templates/next-workflow");
  const faults: unknown[] = [];
  const ask = <C extends Channel>(channel: C, input: unknown): Promise<Output<C>> =>
    answer(channel, input, {
      handlers: Promise.resolve(handlers as unknown as Handlers),
      report: (entry) => void faults.push(entry),
    });
  return { ask, faults };
}

const FULL: Input<"workflow.judge"> = {
  ...{ name: "set_status", adapter: "membership-sandbox", phase: "update", isDecided: false },
  answers: {
    key: { where: "appliedKeys of the member and of its vouchers", unique: true },
    query: { reliable: true, visibilitySeconds: 2, horizonSeconds: 60, looks: 8 },
    retry: { resendAfterNotSent: true, resendAfterProvenAbsent: true, maxAttempts: 3 },
    approvalBinds: [],
    compensation: { action: "bring it back to the state it was in", grade: "B" },
  },
};
const wanted = (action = FULL) => ({ name: "member-pause", owner: "editor:lin", backupOwner: "editor:wang", action });

describe("what may be done with an action", () => {
  const codes = async (action: Input<"workflow.judge">) => {
    const { verdict, reasons } = await desk(null).ask("workflow.judge", action);
    return [verdict, ...reasons.map(({ code, answers }) => [code, ...answers].join(" "))];
  };

  test("is everything where all five are answered as its adapter does", async () => {
    expect(await codes(FULL)).toEqual(["automatic"]);
  });

  test("is a person's where an answer, the adapter or a way back is missing", async () => {
    const { answers } = FULL;
    expect(await codes({ ...FULL, answers: { ...answers, query: null, retry: null } })).toEqual([
      "draft_and_manual",
      "answers_missing query retry",
    ]);
    expect(await codes({ ...FULL, adapter: "post-office" })).toEqual(["draft_and_manual", "adapter_missing"]);
    const otherKey = { where: "a header", unique: true };
    expect(await codes({ ...FULL, answers: { ...answers, key: otherKey } })).toEqual([
      "draft_and_manual",
      "answers_differ key",
    ]);
    const irreversible = { action: "not at all", grade: "D" } as const;
    expect(await codes({ ...FULL, answers: { ...answers, compensation: irreversible } })).toContain("grade_d");
  });
});

describe("its package", () => {
  test("is written whole, in order, and reads back as what was answered", async () => {
    const folder = join(testFolder(), "member-pause");
    expect(await desk(folder).ask("workflow.write", wanted())).toEqual({ result: "written", folder });
    const read = readPackage(folder);
    if ("faults" in read) throw new Error(JSON.stringify(read.faults));
    expect(read.package.definition).toMatchObject({ name: "member-pause", owner: "editor:lin" });
    expect(read.package.actions).toMatchObject([
      { name: "set_status", grade: "B", answers: { key: { unique: true } } },
    ]);
    expect(read.package.chain?.actions).toMatchObject([{ name: "set_status", service: "membership-sandbox" }]);
    expect(definitionHash(read.package.definition)).toHaveLength(64);
    expect(readdirSync(folder)).toHaveLength(5);
  });

  test("is written into no folder that has something in it, and nowhere where none was chosen", async () => {
    const folder = testFolder();
    mkdirSync(join(folder, "mine"));
    expect(await desk(folder).ask("workflow.write", wanted())).toEqual({ result: "not_empty", folder });
    expect(await desk(null).ask("workflow.write", wanted())).toEqual({ result: "nothing_chosen" });
    expect(readdirSync(folder)).toEqual(["mine"]);
    writeFileSync(join(folder, "file"), "");
    const nowhere = join(folder, "file", "member-pause");
    expect(await desk(nowhere).ask("workflow.write", wanted())).toEqual({ result: "failed", folder: nowhere });
  });

  test("of one who would be their own backup is refused by file and field; a name that is a path never arrives", async () => {
    const { ask } = desk(join(testFolder(), "x"));
    expect(await ask("workflow.write", { ...wanted(), backupOwner: "editor:lin" })).toMatchObject({
      result: "refused",
      faults: [{ file: "definition.json", field: "backupOwner" }],
    });
    await expect(ask("workflow.write", { ...wanted(), name: "../up" })).rejects.toThrow("bad_input: name");
  });
});
