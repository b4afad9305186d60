import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sshString } from "../../main/domain/ssh-wire";
import { type SecurityKey, securityKey } from "./security-key";

/** A socket's path has to be short, whatever the temporary folder is. */
const socketDir = () => mkdtempSync(join(tmpdir(), "agent-"));

/** A real `ssh-agent` of this machine with keys of these comments in it. */
export interface RealAgent {
  address: string;
  /** The public lines as `ssh-add -L` prints them. */
  lines(): string[];
  remove(): void;
  stop(): void;
}

export function startAgent(...comments: string[]): RealAgent {
  const dir = socketDir();
  const address = join(dir, "s");
  const child = spawn("ssh-agent", ["-D", "-a", address], { stdio: "ignore" });
  const env = { ...process.env, SSH_AUTH_SOCK: address };
  const add = (...args: string[]) => execFileSync("ssh-add", args, { env, encoding: "utf8", stdio: "pipe" });
  waitFor(address);
  for (const [index, comment] of comments.entries()) {
    const file = join(dir, `key-${index}`);
    execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", comment, "-f", file]);
    add("-q", file);
  }
  return {
    address,
    lines: () => add("-L").trim().split("\n"),
    remove: () => void add("-D"),
    stop: () => {
      child.kill();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** The agent makes its socket a moment after it was started. */
function waitFor(address: string): void {
  execFileSync("bash", ["-c", `for i in $(seq 100); do [ -S "$0" ] && exit 0; sleep 0.05; done; exit 1`, address]);
}

/** An agent with one key of the kind that hardware holds, which answers when and what a test lets it. */
export interface TouchAgent {
  address: string;
  key: SecurityKey;
  /** Requests for a signature that wait for a touch. */
  waiting(): number;
  /** Answers the oldest. @param flags 0: nobody touched it */
  touch(flags?: number): void;
  refuse(): void;
  stop(): void;
}

export async function startTouchAgent(number = 3): Promise<TouchAgent> {
  const address = join(socketDir(), "s");
  const key = securityKey(number);
  const waiting: { record: Buffer; socket: Socket }[] = [];
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.on("data", (bytes) => {
      if (bytes[4] === 11) {
        const count = Buffer.from([0, 0, 0, 1]);
        const keys = Buffer.concat([Buffer.from([12]), count, sshString(key.publicKey), sshString("token \u001b[1m")]);
        socket.write(sshString(keys));
      } else {
        const length = bytes.readUInt32BE(5);
        const from = 9 + length;
        waiting.push({ record: bytes.subarray(from + 4, from + 4 + bytes.readUInt32BE(from)), socket });
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(address, resolve));
  const answer = (make: (record: Buffer) => Buffer) => {
    const asked = waiting.shift();
    if (asked === undefined) throw new Error("nobody asks for a signature");
    asked.socket.write(sshString(make(asked.record)));
  };
  return {
    address,
    key,
    waiting: () => waiting.length,
    touch: (flags = 1) => answer((record) => Buffer.concat([Buffer.from([14]), sshString(key.sign(record, flags))])),
    refuse: () => answer(() => Buffer.from([5])),
    stop: () => server.close(),
  };
}
