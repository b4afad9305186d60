import { createSshAgent } from "../adapters/ssh-agent";
import { type Asking, agentSigner } from "../compose/agent-keys";
import { findSigner, identityIn } from "../compose/evidence-key";
import type { Signer } from "../evidence/signing-key";

/** Which key is to sign: one of the ssh-agent's, or one of a file. */
export interface NamedKey {
  /** Null: not the agent's; empty: the agent's only one; otherwise its fingerprint. */
  agent: string | null;
  key: string | null;
  identity: string | null;
}

/** Whoever signs, and where the key is: a file's name, or `ssh-agent`. */
export type NamedSigner = { signer: Signer; keyFile: string; wasCreated: boolean } | { wrong: string };

/** Finds the key that was named. @param how.onAsk hears when the agent is asked: a hardware key waits to be touched */
export async function namedSigner(
  place: { workspace: string; workspaceId: string; kind: "sandbox" | "real" },
  named: NamedKey,
  how: Parameters<typeof agentSigner>[2],
): Promise<NamedSigner> {
  if (named.agent === null) return findSigner({ ...place, key: named.key, identity: named.identity });
  const wanted = {
    fingerprint: named.agent === "" ? null : named.agent,
    identity: named.identity ?? identityIn(place.workspaceId),
  };
  const found = await agentSigner(createSshAgent(), wanted, how);
  if ("signer" in found) return { signer: found.signer, keyFile: "ssh-agent", wasCreated: false };
  return { wrong: `--agent: ${WRONG[found.code]}${listed(found.keys)}` };
}

type AgentFault = Extract<Awaited<ReturnType<typeof agentSigner>>, { code: unknown }>["code"];

const WRONG: Readonly<Record<AgentFault, string>> = {
  agent_missing: "no ssh-agent is known here: SSH_AUTH_SOCK names none. Start one: eval $(ssh-agent)",
  agent_unreachable: "nobody listens where SSH_AUTH_SOCK points. Start an agent: eval $(ssh-agent)",
  agent_silent: "the ssh-agent did not answer in time. Unlock it, or touch the key, and try again",
  agent_refused: "the ssh-agent refused. Unlock it (ssh-add -X) and try again",
  agent_unreadable: "what the ssh-agent answered is none of its protocol. Restart it",
  agent_cancelled: "stopped while the ssh-agent was asked",
  agent_key_missing: "the ssh-agent has no such Ed25519 key. Add it: ssh-add FILE",
  agent_keys_several: "the ssh-agent has several Ed25519 keys. Name one: --agent FINGERPRINT",
};

const listed = (keys: readonly Asking[]): string =>
  keys.length === 0
    ? ""
    : `. It has: ${keys.map(({ fingerprint, comment }) => `${fingerprint} (${comment})`).join(", ")}`;

/** Words for what an agent's key came to, when it was asked and gave no signature. */
export const signingWords = (code: string): string => (code in WRONG ? WRONG[code as AgentFault] : code);

/** `--agent` may stand alone: then it means the agent's only key. The argument parser wants a value, so it gets an empty one. */
export function withAgentValue(args: readonly string[]): string[] {
  return args.map((arg, index) => (arg === "--agent" && !/^SHA256:/.test(args[index + 1] ?? "") ? "--agent=" : arg));
}

/** Why a fingerprint cannot be one, or null. */
export const fingerprintFault = (agent: string | null): string | null =>
  agent === null || agent === "" || /^SHA256:[A-Za-z0-9+/]{43}$/.test(agent)
    ? null
    : `--agent takes a fingerprint as ssh-add -l shows it (SHA256:…), not ${agent}`;
