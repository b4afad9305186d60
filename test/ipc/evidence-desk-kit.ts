import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, vi } from "vitest";
import { openEvidenceRows } from "../../db/evidence-rows";
import { createSystemClock } from "../../main/adapters/clock";
import { createSshAgent } from "../../main/adapters/ssh-agent";
import { AgentKeys } from "../../main/compose/agent-keys";
import { newSigner, publicPart } from "../../main/compose/approval-signer";
import type { StartChild } from "../../main/compose/child-program";
import { EvidenceDesk } from "../../main/compose/evidence-desk";
import { evidenceHandlers } from "../../main/compose/evidence-handlers";
import { EvidenceOrder } from "../../main/compose/evidence-report";
import { workOnEvidence } from "../../main/headless/evidence";
import { openEvidenceBundles } from "../../main/shell/evidence-bundles";
import { createEvidenceKey } from "../../main/shell/evidence-signer";
import type { Handlers } from "../../main/shell/handlers";
import { answer, pushable } from "../../main/shell/ipc-answer";
import { createSecretStore } from "../../main/shell/secret-store";
import { writeWhole } from "../../main/shell/small-file";
import { openTimestampServer } from "../../main/shell/timestamp-server";
import type { Channel, Output } from "../../preload/contract";
import { FakeChild } from "../support/fake-child";
import { EDITOR, World } from "../support/world";

/** The child program's part without a process: it does the work here, as slowly as it is let. */
export class Child extends FakeChild {
  readonly stop = new AbortController();
}

class WorkingChild extends Child {
  override send(message: unknown): void {
    super.send(message);
    const order = EvidenceOrder.parse(structuredClone(message));
    if (order.kind === "stop") this.stop.abort();
    // A process never answers within the question.
    else
      setImmediate(() => void workOnEvidence(order, (report) => this.tell(structuredClone(report)), this.stop.signal));
  }
}

/** A keychain that only turns its bytes round, or none. */
const keychain = (isThere: boolean) =>
  createSecretStore({
    isEncryptionAvailable: () => isThere,
    encryptString: (text) => Buffer.from(text).reverse(),
    decryptString: (bytes) => Buffer.from(bytes).reverse().toString(),
  });

export interface DeskOptions {
  hasKeychain?: boolean;
  start?(): Child;
  /** Where an ssh-agent listens. */
  agentAddress?: string | null;
}

/** The evidence desk behind its channels, over one workspace, with a settings' folder of its own. */
export function openDeskAt(
  dir: string,
  { hasKeychain = false, start = () => new WorkingChild(), agentAddress = null }: DeskOptions = {},
) {
  const data = mkdtempSync(join(tmpdir(), "imprimatur-evidence-desk-"));
  onTestFinished(() => rmSync(data, { recursive: true, force: true }));
  const faults: unknown[] = [];
  const report = (entry: unknown) => void faults.push(entry);
  const children: Child[] = [];
  const pushed: Output<"evidence.get">[] = [];
  const state = { chosen: null as string | null, keychain: hasKeychain, checks: 0, taskId: taskOf(dir) };
  const key = {
    file: join(data, "signer-key.sealed"),
    read: () => createEvidenceKey(join(data, "signer-key.sealed"), keychain(state.keychain)).read(),
    make: () => createEvidenceKey(join(data, "signer-key.sealed"), keychain(state.keychain)).make(),
  };
  const world = new World();
  const place = { dir, id: "w-1" };
  const registered = () => world.journal.reader.signers();
  const startChild: StartChild = () => {
    const child = start();
    children.push(child);
    return child;
  };
  const agent = new AgentKeys(createSshAgent(agentAddress), () => desk.changed());
  const desk: EvidenceDesk = new EvidenceDesk({
    file: "evidence.worker.cjs",
    startChild,
    clock: createSystemClock({ keepsProcess: true }),
    key,
    agent,
    timestampServer: openTimestampServer(join(data, "time-stamp.json"), report),
    bundles: openEvidenceBundles(join(data, "bundles.json"), report),
    files: {
      chooseNew: async () => state.chosen,
      chooseBundle: async () => state.chosen,
      writeText: (file, text) => {
        writeWhole(file, text);
        return true;
      },
    },
    workspace: () => ({
      ...place,
      registered,
      registerKey: (agentKey, reason) => {
        const signer =
          agentKey === null ? newSigner(key, place, registered()) : { identity: "editor@w-1", publicKey: agentKey };
        const part = signer === null ? null : publicPart(signer);
        return (
          part !== null && world.execute({ type: "register_signer", ...part, reason }, EDITOR).result === "applied"
        );
      },
      check: {
        chain: { running: null, last: null },
        start: () => {
          state.checks += 1;
        },
      },
    }),
    language: () => "en",
    onChange: (evidence) => void pushed.push(pushable("evidence.changed", evidence, report) ?? evidence),
  });
  const handlers = Promise.resolve(
    evidenceHandlers(desk, {
      editionOf: (taskId) => (taskId === state.taskId ? "2026-W30" : null),
      zone: "Asia/Shanghai",
    }) as unknown as Handlers,
  );
  const ask = <C extends Channel>(channel: C, input: unknown): Promise<Output<C>> =>
    answer(channel, input, { handlers, report });
  const settled = async () => {
    await vi.waitFor(async () => expect((await ask("evidence.get", {})).work).toBeNull(), 30_000);
    return ask("evidence.get", {});
  };
  return { data, faults, children, pushed, state, desk, ask, settled, key, place, registered };
}

/** The one task of a workspace. */
function taskOf(dir: string): string {
  const opened = openEvidenceRows(dir);
  if (opened.kind === "problem") throw new Error(opened.problem.detail);
  const [task] = opened.rows.select({ kind: "everything" });
  opened.rows.close();
  return task?.id ?? "";
}
