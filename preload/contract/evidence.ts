import { z } from "zod";
import { Hash, Instant } from "./primitives";

/** Evidence: bundles made and opened, the key that signs them, and the check of both chains. */

const Word = z.string().max(400);
const Detail = z.string().max(4000);
const Count = z.number().int().min(0);

/** Where the signing key is kept: the system's keychain, or a file in the workspace where there is no keychain. */
const Keeping = z.object({
  where: z.enum(["keychain", "workspace_file", "agent"]),
  /** Why it is not in the keychain. */
  refusal: z.enum(["plain_text_backend", "no_keychain"]).nullable(),
  file: z.string().nullable(),
});

/** A key of the ssh-agent's; one of hardware has to be touched for each signature. */
export const Asking = z.object({ fingerprint: Word, comment: z.string().max(100), isHardware: z.boolean() });

/** The keys of this computer's ssh-agent that could sign, or why they are not known. */
export const SigningAgent = z.object({
  problem: z
    .enum([
      "agent_missing",
      "agent_unreachable",
      "agent_silent",
      "agent_refused",
      "agent_unreadable",
      "agent_cancelled",
    ])
    .nullable(),
  keys: z.array(Asking),
});

/** What came of asking for a time stamp: when the server says the signature was there, or why there is none. */
export const BundleStamp = z.union([z.object({ at: Word }), z.object({ missing: Detail })]);

export const EvidenceSigner = z.discriminatedUnion("kind", [
  Keeping.extend({
    kind: z.literal("ready"),
    identity: Word,
    fingerprint: Word,
    /** The line for a file of allowed signers: public. */
    allowedSigners: z.string().max(1000),
  }),
  /** It is made at the first export, or when asked for. */
  Keeping.extend({ kind: z.literal("none") }),
  /** `locked`: the keychain does not open it. */
  Keeping.extend({ kind: z.literal("unavailable"), code: z.enum(["locked", "file"]), detail: Detail }),
]);

/** A key that the journal knows: its public side, and why it came. Approvals from then on are signed with the newest. */
export const RegisteredKey = z.object({
  fingerprint: Word,
  identity: Word,
  /** Workspace time. */
  at: Instant,
  by: Word,
  reason: Detail,
});

/** A bundle that was made here. Remembered beside the program's settings, not in a journal. */
export const MadeBundle = z.object({
  /** ms UTC of real time. */
  at: Instant,
  label: Word,
  /** Empty where it was made of a period. */
  taskId: z.string(),
  /** The incident or the period that it was made of, where it was not one edition. */
  of: Word.optional(),
  workspaceId: z.string(),
  file: z.string(),
  /** The bag's folder in the archive. */
  folder: Word,
  bytes: Count,
  /** Of the file. */
  sha256: Hash,
  /** SHA-256 of the tag manifest: the bundle's own name. */
  bag: Hash,
  events: Count,
  head: Hash,
  fingerprint: Word,
  withBytes: z.boolean(),
  /** Absent where nobody was asked for a time stamp. */
  timestamp: BundleStamp.optional(),
});

/** Long work of a child program, one at a time. `of` is 0 where nobody can say how much it is. */
export const EvidenceWork = z.object({
  kind: z.enum(["export", "open"]),
  label: Word,
  done: Count,
  of: Count,
  /** The ssh-agent's key that is being asked to sign. */
  asking: Asking.optional(),
});

export const WithheldReason = z.enum(["licence", "choice", "addresses", "not_kept"]);

export const EvidencePlan = z.object({
  label: Word,
  events: Count,
  bytes: Count,
  /** What a check of the workspace found wrong with it: the bundle is made nevertheless, and says so. */
  journalFaults: z.array(Detail),
  included: z.array(z.object({ kind: Word, files: Count, bytes: Count })),
  withheld: z.array(
    z.object({
      reason: WithheldReason,
      kind: Word,
      files: Count,
      titles: z.array(z.string()),
      licences: z.array(z.string()),
    }),
  ),
});

/** What a check of both chains found; `at` in workspace time. */
const FoundCheck = z.object({
  at: Instant,
  ok: z.boolean(),
  events: Count,
  head: z.string(),
  detail: Detail,
  violations: Count,
});

/** As it is remembered beside the program's settings. */
export const KeptCheck = FoundCheck.extend({ workspaceId: z.string() });

export const ChainCheck = z.object({
  /** `of` is 0 until the number of events is known. */
  running: z.object({ done: Count, of: Count }).nullable(),
  /** Of this start or one before it. */
  last: FoundCheck.nullable(),
});

/** `ok` null: it stays open, because what would answer it is not there. */
const BundleCheck = z.object({ name: Word, ok: z.boolean().nullable(), detail: Detail });

export const BundleComparison = z.object({
  result: z.enum(["same", "older_part", "journal_is_older", "different", "other_workspace"]),
  events: Count,
  journalEvents: Count,
  /** The first event that is another one. */
  at: Count.optional(),
});

/** What a verified bundle tells, as text. */
export const BundleFacts = z.object({
  workspaceId: Word,
  workspaceKind: Word,
  createdAt: Word,
  taskCount: Count,
  tasks: z.array(z.object({ id: Word, edition: Word, key: Word, version: Word, state: Word, stateSince: Word })),
  approvals: z.array(
    z.object({ id: Word, scope: Word, approver: Word, issuedAt: Word, expiresAt: Word, signedBy: Word, ended: Word }),
  ),
  operations: z.array(
    z.object({ id: Word, kind: Word, phase: Word, state: Word, sentAt: Word, remote: Detail, tries: Detail }),
  ),
  /** Untold by a bundle of an older program. */
  incidents: z.array(z.object({ id: Word, rule: Word, frozen: Detail, openedAt: Word, endedAt: Word, reason: Word })),
  eventCount: Count,
  events: z.array(z.object({ seq: Count, at: Word, type: Word, toState: Word, actor: Word, reason: Word })),
});

export const OpenedBundle = z.object({
  file: z.string(),
  bytes: Count,
  sha256: Hash,
  valid: z.boolean(),
  checks: z.array(BundleCheck),
  signer: z.object({ identity: Word, fingerprint: Word }).nullable(),
  label: Word.nullable(),
  bag: Hash.nullable(),
  events: Count.nullable(),
  head: Word.nullable(),
  /** Null where it is not valid: then nothing of it is believed. */
  facts: BundleFacts.nullable(),
  /** Null where it is not valid or no workspace is open. */
  comparison: BundleComparison.nullable(),
});

/** What the last work came to. */
export const EvidenceOutcome = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("exported"), bundle: MadeBundle }),
  z.object({ kind: z.literal("opened") }),
  z.object({ kind: z.literal("cancelled"), work: z.enum(["export", "open"]) }),
  z.object({ kind: z.literal("failed"), work: z.enum(["export", "open"]), detail: Detail }),
]);

export const Evidence = z.object({
  /** Null where no workspace is open. */
  signer: EvidenceSigner.nullable(),
  /** Newest first; empty: approvals are not signed. */
  registered: z.array(RegisteredKey),
  agent: SigningAgent,
  /** The ssh-agent's key that is being asked to sign an approval. */
  asking: Asking.nullable(),
  /** The time-stamp server of the settings, or null: bundles carry no time stamp. */
  timestampUrl: z.string().nullable(),
  /** The newest of them can be had here now: without it nothing is approved. True where none is registered. */
  canSign: z.boolean(),
  check: ChainCheck.nullable(),
  work: EvidenceWork.nullable(),
  outcome: EvidenceOutcome.nullable(),
  /** Newest first; of the open workspace and of others. */
  made: z.array(MadeBundle),
  opened: OpenedBundle.nullable(),
});

const Id = z.string().min(1).max(100);
const Day = z.iso.date();
/** Whether the time-stamp server of the settings is asked. */
const Stamp = z.boolean().optional();
/** What a bundle is made of: an edition, what an incident of it is about, or all that went on in some days of the workspace's zone. */
export const EvidenceChoice = z.union([
  z.object({ incidentId: Id, taskId: Id, withBytes: z.boolean(), stamp: Stamp }),
  z.object({ taskId: Id, withBytes: z.boolean(), stamp: Stamp }),
  /** Both days belong to it. */
  z.object({ from: Day, to: Day, withBytes: z.boolean(), stamp: Stamp }),
]);
export const EvidencePlanned = z.discriminatedUnion("result", [
  z.object({ result: z.literal("planned"), plan: EvidencePlan }),
  z.object({ result: z.literal("failed"), detail: Detail }),
]);
export const EvidenceStarted = z.object({
  result: z.enum(["started", "nothing_chosen", "busy", "no_key", "no_workspace", "not_found"]),
});
/** A bundle that was made here, by its hash; null lets the person choose a file. */
export const EvidenceToOpen = z.object({ sha256: Hash.nullable() });
export const EvidenceSaved = z.object({ result: z.enum(["saved", "nothing_chosen", "no_key", "failed"]) });
/** Without `agentKey` a new key of this app; otherwise the ssh-agent's with this fingerprint. */
export const KeyReason = z.object({ reason: z.string().trim().min(1).max(500), agentKey: Word.optional() });
/** Null: no server is asked any more. */
export const TimestampSetting = z.object({ url: z.string().trim().max(500).nullable() });
export const TimestampSet = z.object({ result: z.enum(["saved", "no_address", "failed"]) });
export const KeyRegistered = z.object({
  result: z.enum(["registered", "no_workspace", "agent_key_missing", "failed"]),
});
