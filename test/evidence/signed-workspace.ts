import { Journal } from "../../db/journal";
import { openJournal } from "../../db/open";
import { publicPart } from "../../main/compose/approval-signer";
import { findSigner } from "../../main/compose/evidence-key";
import { briefingDefinition } from "../../main/pipeline/briefing/definition";
import { membershipDefinition } from "../../main/pipeline/membership-cancellation/definition";
import { addEdition, workspaceWith } from "./bundle-kit";

/** Registers the workspace's own key, as the app does at its first start. */
function registerKey(dir: string): void {
  const opened = openJournal({ dir, now: 0, kind: "sandbox", workspaceId: "other", durability: "simulation" });
  if (opened.kind === "problem") throw new Error(opened.problem.detail);
  const { sqlite, workspaceId } = opened.journal;
  const found = findSigner({ workspace: dir, workspaceId, kind: "sandbox", key: null, identity: null });
  if (!("signer" in found)) throw new Error(found.wrong);
  const now = sqlite.prepare<[], number>("SELECT max(at) FROM event").pluck().get() ?? 0;
  const definitions = [briefingDefinition, membershipDefinition];
  const journal = new Journal({ sqlite, definitions, crash: { reach: () => undefined }, now: () => now });
  const context = { actor: "system", now, trusted: { at: now, trusted: true, source: "test" } } as const;
  const part = publicPart(found.signer);
  const answer = journal.execute({ type: "register_signer", ...part, reason: "first start" }, context);
  opened.journal.close();
  if (answer.result !== "applied") throw new Error(JSON.stringify(answer));
}

/** An edition from before the workspace had a signing key, and one from after: two approvals unsigned, two signed. */
export async function signedWorkspace(): Promise<string> {
  const dir = await workspaceWith("2026-W30");
  registerKey(dir);
  await addEdition(dir, "2026-W31");
  return dir;
}
