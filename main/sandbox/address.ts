import { createHash, randomUUID } from "node:crypto";
import { existsSync, linkSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { dirname, join } from "node:path";
import { z } from "zod";

const addressSchema = z.object({ url: z.string(), port: z.int() });
/** Loopback answers in a millisecond; a process that is busy for this long is a process that is alive elsewhere. */
const PROBE_MS = 2000;

export type Address = z.infer<typeof addressSchema>;

/** Another live sandbox already keeps this folder's records. Two would each know half. Its `url` can be used instead. */
export class SandboxInUse extends Error {
  override readonly name = "SandboxInUse";
  constructor(readonly url: string) {
    super(`this folder's records are kept by the sandbox at ${url}`);
  }
}

/** Where the sandbox of this folder was last reached. Kept after it stops: page addresses contain the port. */
export function readAddress(dir: string): Address | null {
  try {
    return addressSchema.parse(JSON.parse(readFileSync(join(dir, "address.json"), "utf8")));
  } catch {
    // Missing or half written by a crash: then the folder simply has no address yet.
    return null;
  }
}

/**
 * Takes a folder for the sandbox that listens at `address`. `last` is what the folder said before: when it said nothing
 * and now does, another sandbox was started at the same moment and was faster.
 * @throws SandboxInUse then.
 */
export function claimAddress(dir: string, address: Address, last: Address | null): void {
  const path = join(dir, "address.json");
  const draft = `${path}.${randomUUID()}`;
  writeFileSync(draft, `${JSON.stringify(address)}\n`);
  try {
    // A link fails where a rename would silently win over the other one.
    if (last === null && !isUnreadable(path)) linkSync(draft, path);
    else renameSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    throw new SandboxInUse(readAddress(dir)?.url ?? "an unknown address");
  } finally {
    rmSync(draft, { force: true });
  }
}

/** There, but not an address: left by something else, and no reason to refuse for ever. */
function isUnreadable(path: string): boolean {
  return existsSync(path) && readAddress(dirname(path)) === null;
}

/** Names a folder to whoever asks a running sandbox which one it keeps, without telling where it is. */
export function folderId(dir: string): string {
  return createHash("sha256").update(realpathSync(dir)).digest("hex");
}

/** Asks whether a live sandbox at this port keeps this folder. */
export function isKeptAt(port: number, folder: string): Promise<boolean> {
  return new Promise((resolve) => {
    const call = request({ host: "127.0.0.1", port, path: "/control/folder", timeout: PROBE_MS }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (part: string) => {
        text += part;
      });
      response.on("end", () => resolve(text.includes(folder)));
      response.on("error", () => resolve(false));
    });
    call.on("timeout", () => call.destroy());
    call.on("error", () => resolve(false));
    call.end();
  });
}
