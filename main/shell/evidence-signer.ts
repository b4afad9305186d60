import { existsSync, readFileSync } from "node:fs";
import { createRandomness } from "../adapters/randomness";
import type { EvidenceKey } from "../compose/evidence-signer";
import type { SecretStore } from "./secret-store";
import { writeWhole } from "./small-file";

const SEED_BYTES = 32;

/**
 * The editor's signing key, sealed by the system's keychain into a file of ours. Losing it loses no history: what it signed
 * stays verifiable, and a new key signs from then on. One that is there and cannot be opened is never replaced by itself.
 */
export function createEvidenceKey(file: string, secrets: SecretStore): EvidenceKey {
  const read: EvidenceKey["read"] = () => {
    const state = secrets.state();
    if (!existsSync(file)) return state.kind === "ready" ? { kind: "none" } : state;
    const opened = secrets.open(Buffer.from(readFileSync(file, "utf8"), "base64"));
    const seed = opened.kind === "opened" ? Buffer.from(opened.text, "hex") : null;
    return seed?.length === SEED_BYTES ? { kind: "ready", seed: new Uint8Array(seed) } : { kind: "locked" };
  };
  return {
    file,
    read,
    make: () => {
      const found = read();
      if (found.kind !== "none") return found;
      const sealed = secrets.seal(Buffer.from(createRandomness().bytes(SEED_BYTES)).toString("hex"));
      if (sealed.kind === "refused") return sealed;
      writeWhole(file, Buffer.from(sealed.bytes).toString("base64"));
      return read();
    },
  };
}
