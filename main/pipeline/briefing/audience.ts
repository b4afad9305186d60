import type { NewAudience } from "../../domain/commands";
import { canonicalJson, derivedId, sha256 } from "../../domain/hashing";
import type { Sha256 } from "../../domain/ids";
import type { TaskRow } from "../../domain/records";
import { contextOf, freezeJson, thawJson } from "./frozen";
import type { BriefingPorts } from "./ports";
import type { FrozenAudience } from "./records";

export interface ComputedAudience {
  frozen: FrozenAudience;
  audienceHash: Sha256;
  importVersion: number;
}

/**
 * The audience as it is now: sorted recipient ids, each with the keyed digest of its canonical address, and the suppression
 * list's version (domain 1). One address is one recipient, however often the list has it.
 */
export function computeAudience(ports: BriefingPorts, suppressionVersion: number): ComputedAudience {
  const suppressed = new Map(ports.suppressions().map((row) => [row.recipientId, row.reason]));
  const members = [...ports.customers.members()].sort((a, b) => (a.recipientId < b.recipientId ? -1 : 1));
  const recipients = members
    .filter((member) => !suppressed.has(member.recipientId))
    .map(({ recipientId: id, digest, group }) => ({ id, digest, group }));
  const excluded = members
    .filter((member) => suppressed.has(member.recipientId))
    .map(({ recipientId: id, group }) => ({ id, group, reason: suppressed.get(id) ?? "suppressed" }));
  const frozen: FrozenAudience = { format: "imprimatur-audience/1", suppressionVersion, recipients, excluded };
  const hashed = { recipients: recipients.map(({ id, digest }) => ({ id, digest })), suppressionVersion };
  return { frozen, audienceHash: sha256(canonicalJson(hashed)), importVersion: ports.customers.importVersion() };
}

/** What goes into the journal about it: the snapshot, every recipient's open account, the values in the context. */
export function audienceRecords(ports: BriefingPorts, task: TaskRow, computed: ComputedAudience) {
  const { frozen, audienceHash, importVersion } = computed;
  const artifact = freezeJson(ports.blobs, "audience", frozen);
  const audience: NewAudience = {
    snapshot: {
      id: derivedId("au", task.id, audienceHash),
      audienceHash,
      suppressionVersion: frozen.suppressionVersion,
      count: frozen.recipients.length,
      excluded: frozen.excluded.length,
      artifactHash: artifact.hash,
    },
    recipients: [
      ...frozen.recipients.map(({ id, group }) => ({ recipientId: id, group, outcome: "unknown" as const })),
      ...frozen.excluded.map(({ id, group }) => ({ recipientId: id, group, outcome: "excluded" as const })),
    ],
  };
  const shown = contextOf(task, "audienceArtifactHash");
  const isOther = shown !== null && shown !== artifact.hash;
  const context = {
    audienceHash,
    audienceArtifactHash: artifact.hash,
    audienceBeforeHash: isOther ? shown : contextOf(task, "audienceBeforeHash"),
    audienceCount: frozen.recipients.length,
    suppressionVersion: frozen.suppressionVersion,
    importVersion,
  };
  return { artifact, audience, context };
}

/**
 * Who is new or has another address, against the last edition's audience and against the one that was on the table before:
 * each is ticked singly by the person who approves.
 */
export function additionsOf(ports: BriefingPorts, task: TaskRow, frozen: FrozenAudience): string[] {
  const earlier = [ports.previous(task)?.audienceArtifactHash ?? null, contextOf(task, "audienceBeforeHash")];
  const additions = earlier.flatMap((hash) => {
    if (hash === null || !ports.blobs.has(hash as Sha256)) return [];
    const known = new Map(thawJson<FrozenAudience>(ports.blobs, hash).recipients.map(({ id, digest }) => [id, digest]));
    return frozen.recipients.filter(({ id, digest }) => known.get(id) !== digest).map(({ id }) => id);
  });
  return [...new Set(additions)];
}
