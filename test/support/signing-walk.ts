import type { KeyObject } from "node:crypto";
import type { Applied, ExecuteResult } from "../../db/journal";
import { type ApprovalSigner, signApproval } from "../../main/commands/sign-approval";
import type { Command, CommandContext } from "../../main/domain/commands";
import { sshPublicKey } from "../../main/domain/ssh-wire";
import { APPROVAL_NAMESPACE, fingerprintOf, signSsh } from "../../main/domain/sshsig";
import { keyOfSeed } from "../../main/evidence/signing-key";
import { BriefingWalk } from "./briefing-walk";
import { EDITOR } from "./world";

/** Keys by a number, so that a test can name one. */
export const testKey = (number: number): KeyObject => keyOfSeed(Buffer.alloc(32, number));
export const publicKeyOf = (key: KeyObject): string => sshPublicKey(key).toString("base64");
export const fingerprintOfKey = (key: KeyObject): string => fingerprintOf(sshPublicKey(key));

/** A signer that has these keys and no others. */
export const signerWith = (...keys: readonly KeyObject[]): ApprovalSigner => ({
  open: ({ fingerprint }) => {
    const key = keys.find((candidate) => fingerprintOfKey(candidate) === fingerprint);
    if (key === undefined)
      return { kind: "unavailable", unmet: { code: "signing_key_missing", values: { fingerprint } } };
    return { kind: "ready", sign: (statement) => signSsh(Buffer.from(statement), APPROVAL_NAMESPACE, key) };
  },
});

/** An edition whose editor signs what they approve, as soon as a key is registered. */
export class SigningWalk extends BriefingWalk {
  signer: ApprovalSigner = signerWith(testKey(1), testKey(2));

  register(number: number, reason = "a key", actor: "system" | typeof EDITOR = EDITOR): ExecuteResult {
    const publicKey = publicKeyOf(testKey(number));
    return this.world.execute({ type: "register_signer", publicKey, identity: "editor@world", reason }, actor);
  }

  /** The circumstances in which the world will execute the next command of the editor. */
  private nextContext(): CommandContext {
    const now = this.world.now + 1_000;
    const trusted = { ...this.world.trusted(), at: now };
    return { actor: EDITOR, now, trusted, expectedVersion: this.view().task.stateVersion };
  }

  override person(command: Command): Applied {
    if (command.type !== "transition") return super.person(command);
    const signed = signApproval(this.signer, this.view(), command, this.nextContext());
    if (!("command" in signed)) throw new Error(JSON.stringify(signed));
    return super.person(signed.command);
  }
}
