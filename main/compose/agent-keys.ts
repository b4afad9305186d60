import type { AgentFailure, AgentKey, SshAgent } from "../adapters/ssh-agent";
import type { Signed } from "../commands/sign-approval";
import { APPROVAL_NAMESPACE, armouredSignature, fingerprintOf, signedRecord, verifySsh } from "../domain/sshsig";
import { type Unmet, type UnmetCode, unmet } from "../domain/unmet";
import { type Signer, SigningRefused } from "../evidence/signing-key";

/** Why an agent's key signed nothing. `busy`: it is being asked already. */
export type AgentRefusal = AgentFailure | "busy";

/** A key that is being asked for a signature. */
export interface Asking {
  fingerprint: string;
  comment: string;
  isHardware: boolean;
}

/**
 * The keys of this computer's ssh-agent, as they were found last: whether one is there has to be known before anybody clicks,
 * and an agent answers later.
 */
export class AgentKeys {
  private found: readonly AgentKey[] = [];
  private failure: AgentFailure | null = null;
  private looking: Promise<void> | null = null;
  private pending: { asking: Asking; controller: AbortController } | null = null;

  /** @param onChange hears of keys that came or went, and of a key that is asked or no more */
  constructor(
    private readonly agent: SshAgent,
    private readonly onChange: () => void,
  ) {}

  /** What was found, as it may be shown, and why nothing was. */
  get known(): readonly Asking[] {
    return this.found.map(askingOf);
  }

  get problem(): AgentFailure | null {
    return this.failure;
  }

  get asking(): Asking | null {
    return this.pending?.asking ?? null;
  }

  find(fingerprint: string): AgentKey | null {
    return this.found.find(({ publicKey }) => fingerprintOf(publicKey) === fingerprint) ?? null;
  }

  /** Looks again; asked twice, it looks once. */
  refresh(): Promise<void> {
    this.looking ??= this.look().finally(() => {
      this.looking = null;
    });
    return this.looking;
  }

  /** Whoever asked is told that it was cancelled; the agent may go on waiting for a touch, and whatever it says is not heard. */
  cancel(): void {
    this.pending?.controller.abort();
  }

  /** An approval's statement, signed by the agent: over exactly these words, or not at all. One at a time. */
  async signApproval(key: AgentKey, statement: string): Promise<Signed> {
    if (this.pending !== null) return { kind: "failed", unmet: refused("busy", key) };
    const controller = new AbortController();
    this.pending = { asking: askingOf(key), controller };
    this.onChange();
    try {
      const bytes = Buffer.from(statement, "utf8");
      const signed = await signWithAgent(this.agent, key, bytes, APPROVAL_NAMESPACE, controller.signal);
      if (signed.kind === "signed") return signed;
      // Pulled out, locked, gone: the screens say so before the next click.
      void this.refresh();
      return { kind: "failed", unmet: refused(signed.code, key) };
    } finally {
      this.pending = null;
      this.onChange();
    }
  }

  private async look(): Promise<void> {
    const before = this.summary();
    const answer = await this.agent.list();
    this.found = answer.kind === "answered" ? answer.value : [];
    this.failure = answer.kind === "answered" ? null : answer.code;
    if (this.summary() !== before) this.onChange();
  }

  private summary(): string {
    return [this.failure, ...this.found.map(({ publicKey }) => fingerprintOf(publicKey))].join(" ");
  }
}

const askingOf = ({ publicKey, comment, isHardware }: AgentKey): Asking => ({
  fingerprint: fingerprintOf(publicKey),
  comment,
  isHardware,
});

const SAID: Readonly<Record<AgentRefusal, UnmetCode>> = {
  agent_missing: "signing_agent_missing",
  agent_unreachable: "signing_agent_missing",
  agent_silent: "signing_agent_silent",
  agent_refused: "signing_agent_refused",
  agent_unreadable: "signing_agent_unreadable",
  agent_cancelled: "signing_cancelled",
  busy: "signing_asked_already",
};

const refused = (code: AgentRefusal, { publicKey }: AgentKey): Unmet =>
  unmet(SAID[code], { fingerprint: fingerprintOf(publicKey) });

/** Asks an agent, and believes it only where what it gives is a signature of these bytes by this key. */
async function signWithAgent(
  agent: SshAgent,
  { publicKey }: AgentKey,
  message: Uint8Array,
  namespace: string,
  signal: AbortSignal,
): Promise<{ kind: "signed"; signature: string } | { kind: "failed"; code: AgentFailure }> {
  const answer = await agent.sign(publicKey, signedRecord(message, namespace), signal);
  if (answer.kind === "failed") return answer;
  const signature = armouredSignature(publicKey, namespace, answer.value);
  const found = verifySsh(message, namespace, signature);
  return found.kind === "good" && found.publicKey.equals(publicKey)
    ? { kind: "signed", signature }
    : { kind: "failed", code: "agent_unreadable" };
}

/**
 * A signer of bundles whose key an agent has.
 * @param onAsk hears when the key is asked: it may wait to be touched
 * @returns what is wrong where the agent has no such key, or has several and none was named
 */
export async function agentSigner(
  agent: SshAgent,
  wanted: { fingerprint: string | null; identity: string },
  { signal, onAsk }: { signal: AbortSignal; onAsk(asking: Asking): void },
): Promise<{ signer: Signer } | { code: AgentFailure | "agent_key_missing" | "agent_keys_several"; keys: Asking[] }> {
  const listed = await agent.list();
  if (listed.kind === "failed") return { code: listed.code, keys: [] };
  const keys = listed.value.map(askingOf);
  const named = listed.value.filter(
    ({ publicKey }) => wanted.fingerprint === null || fingerprintOf(publicKey) === wanted.fingerprint,
  );
  const [key, ...more] = named;
  if (key === undefined) return { code: "agent_key_missing", keys };
  if (more.length > 0) return { code: "agent_keys_several", keys };
  const sign: Signer["sign"] = async (message, namespace) => {
    onAsk(askingOf(key));
    const signed = await signWithAgent(agent, key, message, namespace, signal);
    if (signed.kind === "failed") throw new SigningRefused(signed.code);
    return signed.signature;
  };
  return { signer: { identity: wanted.identity, publicKey: key.publicKey, sign } };
}
