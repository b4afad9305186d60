import { canonicalJson, derivedId, sha256 } from "./hashing";
import { asOperationId, type OperationId, type Sha256 } from "./ids";
import type { BoundHashes, OperationKind, OperationPhase } from "./ports";

/**
 * Keys name what is meant (domain 6). They are derived from the task, the version and the bound hashes alone: never from a
 * clock, a login token or a random number, so that a retry after any crash carries the same key.
 */
export const taskKeyOf = (pipeline: string, edition: string, language: string): string =>
  `${pipeline}:${edition}:${language}`;

export const publishIntentKey = (taskKey: string, version: number, contentHash: Sha256): string =>
  `publish:${taskKey}:v${version}:${contentHash}`;

export const sendIntentKey = (
  taskKey: string,
  version: number,
  bound: { pageUrl: string; bodyHash: Sha256; audienceHash: Sha256 },
): string => `send:${taskKey}:v${version}:${bound.pageUrl}:${bound.bodyHash}:${bound.audienceHash}`;

/** Any other write of a pipeline, named after what it does and the state it is to reach (domain 6). */
export const effectIntentKey = (taskKey: string, version: number, action: string): string =>
  `effect:${taskKey}:v${version}:${action}`;

/** Undoing has its own intent, named after what it undoes: each step of it is a key of its own (domain 6). */
export const compensateIntentKey = (forwardKey: string, action: string): string => `compensate:${forwardKey}:${action}`;

export const operationKeyOf = (intentKey: string, phase: OperationPhase, recipientId: string | null): string =>
  recipientId === null ? `${intentKey}:${phase}` : `${intentKey}:${phase}:${recipientId}`;

/** The place on the remote: one per edition and kind, whatever the content (domain 6). */
export const slotOf = (kind: OperationKind, taskKey: string, recipientId: string | null = null): string =>
  recipientId === null ? `${kind}:${taskKey}` : `${kind}:${taskKey}:${recipientId}`;

/** The same key has always the same id, so that a double insert is a collision and not a second operation. */
export const operationIdOf = (operationKey: string): OperationId => asOperationId(derivedId("op", operationKey));

/** SHA-256 of the canonical intent {kind, adapter, target, slot, phase, hashes} (domain 6). */
export function intentHashOf(intent: {
  kind: OperationKind;
  adapter: string;
  target: string;
  slot: string;
  phase: OperationPhase;
  recipientId: string | null;
  hashes: BoundHashes;
}): Sha256 {
  return sha256(canonicalJson(intent));
}
