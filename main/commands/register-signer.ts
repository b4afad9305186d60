import type { ExecuteResult } from "../../db/journal";
import { type Desk, executeFor } from "./desk";

/** Registers the key that approvals are signed with from now on. Another one in its place is a deliberate act with a reason. */
export function registerSigner(
  desk: Desk,
  { publicKey, identity, reason }: { publicKey: string; identity: string; reason: string },
): ExecuteResult {
  return executeFor(desk, { type: "register_signer", publicKey, identity, reason });
}
