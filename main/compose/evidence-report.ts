import { z } from "zod";
import { Asking, BundleStamp, EvidencePlan, OpenedBundle } from "../../preload/contract";

/** The key that signs: 32 bytes in hexadecimal from the keychain, that of the workspace's folder, or one of the ssh-agent's. */
const Key = z.discriminatedUnion("from", [
  z.object({ from: z.literal("keychain"), seed: z.string().regex(/^[0-9a-f]{64}$/) }),
  z.object({ from: z.literal("workspace") }),
  z.object({ from: z.literal("agent"), fingerprint: z.string() }),
]);

/** Which tasks: a port of the database's own type, since it crosses processes. */
const Selection = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("everything") }),
  z.object({ kind: z.literal("task"), idOrKey: z.string() }),
  z.object({ kind: z.literal("incident"), id: z.string() }),
  z.object({ kind: z.literal("period"), from: z.int(), before: z.int() }),
]);

/** What the child program is told: one piece of work, and later perhaps to stop. */
export const EvidenceOrder = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("plan"), workspace: z.string(), selection: Selection, withBytes: z.boolean() }),
  z.object({
    kind: z.literal("export"),
    workspace: z.string(),
    selection: Selection,
    withBytes: z.boolean(),
    out: z.string(),
    key: Key,
    /** A time-stamp server, or null: none is asked. */
    timestampUrl: z.string().nullable(),
    language: z.enum(["en", "zh-CN"]),
    /** Whoever started it: cleans up where it is ended. */
    owner: z.int(),
  }),
  z.object({ kind: z.literal("open"), file: z.string(), workspace: z.string().nullable() }),
  z.object({ kind: z.literal("stop") }),
]);
export type EvidenceOrder = z.infer<typeof EvidenceOrder>;

/** What the child program tells. It is a program of its own, and reads strangers' files: everything is parsed on arrival. */
export const EvidenceReport = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("progress"), done: z.int().min(0), of: z.int().min(0) }),
  /** An agent's key is asked for its signature, and may wait to be touched. */
  z.object({ kind: z.literal("asking"), key: Asking }),
  z.object({ kind: z.literal("planned"), plan: EvidencePlan }),
  z.object({
    kind: z.literal("exported"),
    label: z.string(),
    folder: z.string(),
    bytes: z.int(),
    sha256: z.string(),
    bag: z.string(),
    events: z.int(),
    head: z.string(),
    fingerprint: z.string(),
    workspaceId: z.string(),
    timestamp: BundleStamp.nullable(),
  }),
  z.object({ kind: z.literal("opened"), bundle: OpenedBundle }),
  z.object({ kind: z.literal("stopped") }),
  z.object({ kind: z.literal("failed"), reason: z.string().max(4000) }),
]);
export type EvidenceReport = z.infer<typeof EvidenceReport>;
