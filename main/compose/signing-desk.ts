import type { Input, Output } from "../../preload/contract";
import type { SignerRow } from "../domain/records";
import { openSshPrivateKey } from "../evidence/signing-key";
import type { AgentKeys } from "./agent-keys";
import { approvalSigner } from "./approval-signer";
import { type EvidenceKey, type KeyPlace, keyOrder, openSigner, ownSignerShown, signerShown } from "./evidence-signer";
import { isTimestampServer } from "./evidence-timestamp";

type Evidence = Output<"evidence.get">;
type Shown = Pick<Evidence, "signer" | "registered" | "canSign" | "agent" | "asking" | "timestampUrl">;

/** The open workspace, as far as its keys go. */
export interface SigningWorkspace extends KeyPlace {
  /** Keys that the journal knows, oldest first. */
  registered(): readonly SignerRow[];
  /**
   * Registers an agent's key, or where none is given one that is made now and not among them.
   * @returns false where it could not be made, or the journal did not take it
   */
  registerKey(agentKey: Buffer | null, reason: string): boolean;
}

export interface SigningOptions {
  key: EvidenceKey;
  agent: AgentKeys;
  /** The time-stamp server of the settings; null: none is asked. */
  timestampServer: { read(): string | null; write(url: string | null): boolean };
  /** The system's own dialogs. Null: the person chose nothing. */
  files: { chooseNew(name: string): Promise<string | null>; writeText(file: string, text: string): boolean };
  workspace(): SigningWorkspace | null;
}

const NO_KEYS: Pick<Evidence, "signer" | "registered" | "canSign"> = { signer: null, registered: [], canSign: true };

/** Which key signs, where it is, and what a person may do about it; and who is asked for a time stamp. */
export class SigningDesk {
  constructor(
    private readonly options: SigningOptions,
    private readonly changed: () => void,
  ) {}

  get(): Shown {
    const { agent, timestampServer } = this.options;
    const workspace = this.options.workspace();
    return {
      ...(workspace === null ? NO_KEYS : this.keysOf(workspace)),
      agent: agentShown(agent),
      asking: agent.asking,
      timestampUrl: timestampServer.read(),
    };
  }

  /** Which key the child program is to sign with; null where it cannot be had. */
  order(workspace: SigningWorkspace): ReturnType<typeof keyOrder> {
    return keyOrder(this.options.key, workspace, this.options.agent, workspace.registered());
  }

  makeKey(): void {
    const workspace = this.options.workspace();
    if (workspace === null) return;
    ownSignerShown(this.options.key, workspace, { mayCreate: true });
    this.changed();
  }

  /** A person's deliberate act: the key is lost, not to be trusted any more, or another one is to sign from now on. */
  registerKey({ reason, agentKey }: Input<"evidence.registerKey">): Output<"evidence.registerKey"> {
    const workspace = this.options.workspace();
    if (workspace === null) return { result: "no_workspace" };
    const held = agentKey === undefined ? null : this.options.agent.find(agentKey);
    if (agentKey !== undefined && held === null) return { result: "agent_key_missing" };
    const isDone = workspace.registerKey(held?.publicKey ?? null, reason);
    this.changed();
    return { result: isDone ? "registered" : "failed" };
  }

  /** Whoever was asked for a touch is told that none is wanted any more. */
  cancelSigning(): void {
    this.options.agent.cancel();
  }

  async findAgentKeys(): Promise<void> {
    await this.options.agent.refresh();
    this.changed();
  }

  /** Writes the private key where the person says, readable by its owner alone; it goes nowhere else. */
  async exportKey(): Promise<Output<"evidence.exportKey">> {
    const workspace = this.options.workspace();
    // An agent gives no key away.
    const isOwn = workspace !== null && this.keysOf(workspace).signer?.where !== "agent";
    const signer = isOwn ? openSigner(this.options.key, workspace, false) : null;
    return signer === null ? { result: "no_key" } : this.save("imprimatur-signing-key", openSshPrivateKey(signer));
  }

  /** Writes the public line that whoever verifies must have from elsewhere than the bundle. */
  async saveAllowedSigners(): Promise<Output<"evidence.saveAllowedSigners">> {
    const { signer } = this.get();
    return signer?.kind === "ready" ? this.save("allowed_signers", `${signer.allowedSigners}\n`) : { result: "no_key" };
  }

  setTimestampServer({ url }: Input<"evidence.setTimestampServer">): Output<"evidence.setTimestampServer"> {
    if (url !== null && !isTimestampServer(url)) return { result: "no_address" };
    const isWritten = this.options.timestampServer.write(url);
    this.changed();
    return { result: isWritten ? "saved" : "failed" };
  }

  private async save(name: string, text: string): Promise<Output<"evidence.exportKey">> {
    const file = await this.options.files.chooseNew(name);
    if (file === null) return { result: "nothing_chosen" };
    return { result: this.options.files.writeText(file, text) ? "saved" : "failed" };
  }

  private keysOf(workspace: SigningWorkspace): typeof NO_KEYS {
    const { key, agent } = this.options;
    const registered = workspace.registered();
    const newest = registered.at(-1);
    return {
      signer: signerShown(key, workspace, agent, registered),
      registered: registered.map(registeredShown).reverse(),
      canSign: newest === undefined || approvalSigner(key, workspace, agent).open(newest).kind !== "unavailable",
    };
  }
}

const agentShown = (agent: AgentKeys): Evidence["agent"] => ({ problem: agent.problem, keys: [...agent.known] });

const registeredShown = (row: ReturnType<SigningWorkspace["registered"]>[number]): Evidence["registered"][number] => ({
  ...{ fingerprint: row.fingerprint, identity: row.identity, reason: row.reason },
  ...{ at: row.registeredAt, by: row.registeredBy },
});
