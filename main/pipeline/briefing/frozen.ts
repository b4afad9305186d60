import type { NewArtifact } from "../../domain/commands";
import { canonicalJson } from "../../domain/hashing";
import { Bug, type Sha256 } from "../../domain/ids";
import type { BlobStore } from "../../domain/ports";
import type { TaskRow } from "../../domain/records";
import type { ArtifactKind, BriefingContext } from "./records";

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true });

/** Freezes a value as canonical JSON and says what goes into the journal about it. */
export function freezeJson(blobs: BlobStore, kind: ArtifactKind, value: unknown): NewArtifact {
  return freezeBytes(blobs, kind, encoder.encode(canonicalJson(value)), "application/json");
}

/** Freezes a text as UTF-8. */
export function freezeText(blobs: BlobStore, kind: ArtifactKind, text: string, mediaType: string): NewArtifact {
  return freezeBytes(blobs, kind, encoder.encode(text), mediaType);
}

export function freezeBytes(
  blobs: BlobStore,
  kind: ArtifactKind,
  bytes: Uint8Array,
  mediaType: string,
  origin: object | null = null,
): NewArtifact {
  const hash = blobs.put(bytes);
  return { hash, kind, bytes: bytes.byteLength, mediaType, origin: origin === null ? null : canonicalJson(origin) };
}

/**
 * Reads frozen JSON back. The bytes were verified against their address, and we wrote them: the shape is ours.
 * @throws Bug when it is not JSON: then something else was stored under that kind.
 */
export function thawJson<T>(blobs: BlobStore, hash: string): T {
  try {
    return JSON.parse(decoder.decode(blobs.get(hash as Sha256))) as T;
  } catch (error) {
    if (error instanceof SyntaxError) throw new Bug(`frozen artifact ${hash} is not JSON`, { cause: error });
    throw error;
  }
}

export const thawText = (blobs: BlobStore, hash: string): string => decoder.decode(blobs.get(hash as Sha256));

/** A value the briefing keeps in its task's context. */
export function contextOf<K extends keyof BriefingContext>(
  task: Pick<TaskRow, "context">,
  name: K,
): BriefingContext[K] | null {
  const value = task.context[name];
  return value === undefined ? null : (value as BriefingContext[K] | null);
}

/** The same, where the state implies that it is there. @throws Bug when it is not. */
export function requireContext<K extends keyof BriefingContext>(
  task: Pick<TaskRow, "context" | "state">,
  name: K,
): NonNullable<BriefingContext[K]> {
  const value = contextOf(task, name);
  if (value === null || value === undefined) throw new Bug(`a task in ${task.state} has no ${name}`);
  return value as NonNullable<BriefingContext[K]>;
}
