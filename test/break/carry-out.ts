import type { OperationRow } from "../../main/domain/records";
import type { RemoteCore } from "../../main/simulation/remote-core";
import { MONDAY_8 } from "../support/world";

/** The remote makes what an operation asks for: it deduplicates nothing, as most do not. */
export function makePost(core: RemoteCore, operation: OperationRow): void {
  const { operationKey: key, slot, contentHash, intentHash, taskId } = operation;
  core.createPost({ key, slug: slot, status: "published", contentHash, intentHash, taskId }, MONDAY_8);
}

/** @param recipientIds whom it is for @returns the campaign's id */
export function makeCampaign(
  core: RemoteCore,
  operation: OperationRow,
  recipientIds: readonly string[] = ["R1"],
): string {
  const { operationKey: key, slot: name, bodyHash, audienceHash, intentHash, taskId } = operation;
  const recipients = recipientIds.map((id) => ({ id }));
  core.createCampaign({ key, name, bodyHash, audienceHash, intentHash, taskId, recipients }, MONDAY_8);
  return core.campaigns.at(-1)?.id ?? "";
}
