import type { CommandContext, TransitionCommand } from "../domain/commands";
import { approvalOf } from "../domain/decide/transition";
import type { SignerRow } from "../domain/records";
import { type Unmet, unmet } from "../domain/unmet";
import type { TaskView } from "../domain/view";

/** What came of asking for a signature. */
export type Signed = { kind: "signed"; signature: string } | { kind: "failed"; unmet: Unmet };

/** A key as it can be had now: at hand, or with somebody who has to be asked each time and may take a while, or not. */
export type OpenedKey =
  | { kind: "ready"; sign(statement: string): string }
  | { kind: "asked"; ask(statement: string): Promise<Signed> }
  | { kind: "unavailable"; unmet: Unmet };

/** The editor's key, wherever it is kept. What is here of it is only what it signs. */
export interface ApprovalSigner {
  /** Gets hold of the private side of a registered key, or says why it cannot be had and what to do. */
  open(wanted: Pick<SignerRow, "fingerprint">): OpenedKey;
}

/** Where nobody keeps a key, the registered one is missing. */
const openKey = (signer: ApprovalSigner | undefined, wanted: SignerRow): OpenedKey =>
  signer?.open(wanted) ?? {
    kind: "unavailable",
    unmet: unmet("signing_key_missing", { fingerprint: wanted.fingerprint }),
  };

/**
 * Signs the approval that a command gives, over the statement as this very moment makes it. A command that gives none, and any
 * in a journal where no key is registered, stays as it is. `asks`: somebody else has the key and is to be asked for it.
 * @param context the one it will be executed in: the statement's times are its
 */
export function signApproval(
  signer: ApprovalSigner | undefined,
  view: TaskView,
  command: TransitionCommand,
  context: CommandContext,
): { command: TransitionCommand } | { asks(): Promise<Signed> } | { unmet: readonly Unmet[] } {
  const newest = view.signers().at(-1);
  if (command.approval === undefined || newest === undefined) return { command };
  const key = openKey(signer, newest);
  if (key.kind === "unavailable") return { unmet: [key.unmet] };
  const { statement } = approvalOf(view, command, context);
  if (key.kind === "asked") return { asks: () => key.ask(statement) };
  return { command: { ...command, approvalSignature: key.sign(statement) } };
}

/** What stands against signing now, for a screen that asks before anybody approves. */
export function signingMissing(signer: ApprovalSigner | undefined, view: TaskView): Unmet[] {
  const newest = view.signers().at(-1);
  if (newest === undefined) return [];
  const key = openKey(signer, newest);
  return key.kind === "unavailable" ? [key.unmet] : [];
}
