import { createConnection } from "node:net";
import { readPublicKey, SshReader, sshString } from "../domain/ssh-wire";

/** The client's side of an ssh-agent's protocol (draft-miller-ssh-agent): which keys it holds, and a signature by one of them. */

const MESSAGE = { failure: 5, askKeys: 11, keys: 12, askSignature: 13, signature: 14 } as const;
/** Somebody looks at the screen meanwhile. */
const LIST_LIMIT_MS = 3_000;
/** Long enough to find the hardware key and touch it; OpenSSH's own waiting is about as long. */
const SIGN_LIMIT_MS = 60_000;
/** As OpenSSH's agent holds it. */
const MAX_BYTES = 256 * 1024;
const MAX_COMMENT = 100;
/** Where Windows' own agent listens. */
const WINDOWS_PIPE = "//./pipe/openssh-ssh-agent";

/** A key of an agent that can sign here. */
export interface AgentKey {
  /** The SSH wire form. */
  publicKey: Buffer;
  /** The agent's word for it: untrusted text, without control characters, of at most 100 characters. */
  comment: string;
  /** Each signature needs a touch. */
  isHardware: boolean;
}

export type AgentFailure =
  /** No agent is known here: SSH_AUTH_SOCK names none. */
  | "agent_missing"
  /** Nobody listens at its address. */
  | "agent_unreachable"
  /** It did not answer in time: a locked screen, a hardware key that nobody touched. */
  | "agent_silent"
  /** It said no: locked, confirmation declined, no such key, hardware key pulled out. */
  | "agent_refused"
  /** Its answer is not one of the protocol. */
  | "agent_unreadable"
  | "agent_cancelled";

export type AgentAnswer<T> = { kind: "answered"; value: T } | { kind: "failed"; code: AgentFailure };

export interface SshAgent {
  /** Keys of the kinds that can sign here; others are passed over. */
  list(): Promise<AgentAnswer<readonly AgentKey[]>>;
  /** The wrapped signature of some bytes. Aborted, the agent is left alone; it may still ask for a touch. */
  sign(publicKey: Uint8Array, bytes: Uint8Array, signal: AbortSignal): Promise<AgentAnswer<Buffer>>;
}

/** Where this computer's agent listens, or null where none is known. */
export function agentAddress(environment: NodeJS.ProcessEnv, platform: NodeJS.Platform): string | null {
  const named = environment["SSH_AUTH_SOCK"];
  if (named !== undefined && named !== "") return named;
  return platform === "win32" ? WINDOWS_PIPE : null;
}

/** @param limits only a test names others (ms) */
export function createSshAgent(
  address: string | null = agentAddress(process.env, process.platform),
  limits: { listMs: number; signMs: number } = { listMs: LIST_LIMIT_MS, signMs: SIGN_LIMIT_MS },
): SshAgent {
  return {
    list: async () => {
      const answer = await ask(address, Buffer.from([MESSAGE.askKeys]), AbortSignal.timeout(limits.listMs));
      return readAnswer(answer, MESSAGE.keys, readKeys);
    },
    sign: async (publicKey, bytes, cancelled) => {
      if (cancelled.aborted) return { kind: "failed", code: "agent_cancelled" };
      const flags = Buffer.alloc(4);
      const request = Buffer.concat([
        Buffer.from([MESSAGE.askSignature]),
        sshString(publicKey),
        sshString(bytes),
        flags,
      ]);
      const late = AbortSignal.timeout(limits.signMs);
      const answer = await ask(address, request, late, cancelled);
      if (answer.kind === "failed" && cancelled.aborted) return { kind: "failed", code: "agent_cancelled" };
      return readAnswer(answer, MESSAGE.signature, (reader) => reader.string());
    },
  };
}

/** One request and its answer, the length before it taken off. */
function ask(address: string | null, request: Buffer, ...signals: AbortSignal[]): Promise<AgentAnswer<Buffer>> {
  if (address === null) return Promise.resolve({ kind: "failed", code: "agent_missing" });
  return new Promise((resolve) => {
    // As a path: a text of digits alone would be taken for a port.
    const socket = createConnection({ path: address });
    const end = (answer: AgentAnswer<Buffer>) => {
      for (const signal of signals) signal.removeEventListener("abort", giveUp);
      socket.destroy();
      resolve(answer);
    };
    const giveUp = () => end({ kind: "failed", code: "agent_silent" });
    let read = Buffer.alloc(0);
    let isConnected = false;
    for (const signal of signals) signal.addEventListener("abort", giveUp);
    socket.on("connect", () => {
      isConnected = true;
      socket.write(sshString(request));
    });
    socket.on("data", (bytes) => {
      read = Buffer.concat([read, bytes]);
      const length = read.length < 4 ? null : read.readUInt32BE();
      if (length !== null && (length === 0 || length > MAX_BYTES || read.length > 4 + length))
        return end({ kind: "failed", code: "agent_unreadable" });
      if (length !== null && read.length === 4 + length) end({ kind: "answered", value: read.subarray(4) });
    });
    // An address that is no socket, rights that are missing, an agent that went away in the middle: all one to the person.
    socket.on("error", () => end({ kind: "failed", code: "agent_unreachable" }));
    socket.on("close", () => end({ kind: "failed", code: isConnected ? "agent_unreadable" : "agent_unreachable" }));
  });
}

function readAnswer<T>(
  answer: AgentAnswer<Buffer>,
  expected: number,
  read: (reader: SshReader) => T | null,
): AgentAnswer<T> {
  if (answer.kind === "failed") return answer;
  const reader = new SshReader(answer.value);
  const type = reader.take(1)?.[0];
  if (type === MESSAGE.failure) return { kind: "failed", code: "agent_refused" };
  const value = type === expected ? read(reader) : null;
  return value === null || !reader.isAtEnd()
    ? { kind: "failed", code: "agent_unreadable" }
    : { kind: "answered", value };
}

function readKeys(reader: SshReader): AgentKey[] | null {
  const count = reader.number();
  if (count === null) return null;
  const keys: AgentKey[] = [];
  for (let index = 0; index < count; index += 1) {
    const [publicKey, comment] = [reader.string(), reader.string()];
    if (publicKey === null || comment === null) return null;
    const read = readPublicKey(publicKey);
    if (read === null) continue;
    const words = comment.toString("utf8").replace(/\p{C}/gu, "").trim().slice(0, MAX_COMMENT);
    keys.push({ publicKey, comment: words, isHardware: read.application !== null });
  }
  return keys;
}
