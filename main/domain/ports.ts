import type { ErrorTable, RawError } from "./errors";
import type { Instant, OperationId, Sha256, TaskId } from "./ids";

/**
 * What the inside asks of the outside. Implementations live in `adapters`, `db` and the tests; `compose.ts` wires them.
 */

/** Wall and monotonic time of the workspace. The only way any code below the shell may learn the time or wait. */
export interface Clock {
  /** Wall time of the workspace, ms UTC. In the sandbox this is the workspace clock, which a driver may move. */
  now(): Instant;
  /** Milliseconds that only ever grow while the process lives. */
  monotonic(): number;
  /** Resolves after `ms` of workspace time, or at once when `signal` aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** A signal that aborts after `ms` of workspace time; `cancel` frees the timer. */
  timeout(ms: number): { signal: AbortSignal; cancel: () => void };
}

export interface Randomness {
  /** A number in [0, 1). */
  next(): number;
  /** `count` unpredictable bytes (ids, nonces). */
  bytes(count: number): Uint8Array;
}

/** Time that may decide about approvals: an offset measured against servers on the monotonic clock (domain 8). */
export interface TrustedTime {
  /** `trusted` is false while nothing was measured or the wall clock was seen to jump. */
  read(): { at: Instant; trusted: boolean; source: string };
}

/** Content-addressed frozen bytes. */
export interface BlobStore {
  /** Writes temp, fsync, rename; returns the address. Writing the same bytes twice is harmless. */
  put(bytes: Uint8Array): Sha256;
  /** Reads and verifies. @throws Bug-like `BlobDamaged` when the bytes no longer have their hash or are missing. */
  get(hash: Sha256): Uint8Array;
  has(hash: Sha256): boolean;
}

/** Named places where a test run may kill the process. In the release build it does nothing. */
export interface CrashPoints {
  reach(point: string): void;
}

// ---------------------------------------------------------------- external writes

/**
 * What a write is. The first three are governed by an approval gate of their own; `effect` is any other forward write of a
 * pipeline, bound by its undo and its key; `compensate` takes one of them back.
 */
export type OperationKind = "publish" | "send" | "correct" | "effect" | "compensate";
export type OperationPhase = "create" | "update" | "publish" | "trigger" | "deliver" | "undo";

/** The hashes an intent is bound to; which of them are set depends on the kind (domain 6). */
export interface BoundHashes {
  contentHash: Sha256 | null;
  pageUrl: string | null;
  bodyHash: Sha256 | null;
  audienceHash: Sha256 | null;
}

/** Everything an adapter needs to send one operation. `bytes` were frozen before and are sent as they are. */
export interface OutgoingRequest {
  operationId: OperationId;
  operationKey: string;
  taskId: TaskId;
  slot: string;
  kind: OperationKind;
  phase: OperationPhase;
  /** Where the effect happens: base address of the remote. */
  target: string;
  /** The remote object the phase acts on (trigger, update, publish, undo); null for create. */
  remoteId: string | null;
  bytes: Uint8Array;
}

/**
 * What one outside write came to.
 * `not_sent` only where it is proven that no byte of the request left (DNS, refused, TLS; standards: Outside systems).
 */
export type WriteAnswer =
  | { kind: "confirmed"; remoteId: string; url: string | null; observed: RemoteObject | null; httpStatus: number }
  | { kind: "rejected"; error: RawError }
  | { kind: "not_sent"; error: RawError }
  | { kind: "unknown"; error: RawError };

/** One object as the remote shows it. Everything in it is untrusted data. */
export interface RemoteObject {
  remoteId: string;
  externalKey: string | null;
  intentHash: string | null;
  contentHash: string | null;
  taskId: string | null;
  url: string | null;
  /** The remote's own word for its state (`draft`, `published`, `sending`, …). */
  state: string;
  revision: number | null;
  /** Keys of the later phases the remote says it has carried out (for example the trigger's key). */
  appliedKeys: readonly string[];
}

/** One look at the remote by key (domain 6). `able` says that this query was proven able to see drafts and trash. */
export type LookAnswer =
  | { kind: "seen"; able: boolean; objects: readonly RemoteObject[]; query: string }
  | { kind: "failed"; error: RawError; query: string };

/** The five answers of domain section 7, plus what else the engine must know. */
export interface AdapterManifest {
  name: string;
  version: number;
  key: { where: string; unique: boolean };
  query: {
    reliable: boolean;
    visibilityDelayMs: number;
    horizonMs: number;
    keyRetentionMs: number | null;
    lookBudget: number;
  };
  retry: { resendAfterNotSent: boolean; resendAfterProvenAbsent: boolean; maxAttempts: number };
  approvalBinds: readonly (keyof BoundHashes)[];
  compensation: { action: string; grade: "A" | "B" | "C" | "D" };
  errors: ErrorTable;
  callTimeoutMs: number;
  deliveryObservable: boolean;
}

export interface CallContext {
  signal: AbortSignal;
  now: Instant;
}

/** An outside system that can be written to. It retries nothing by itself: one layer, one budget (domain 8). */
export interface WriteAdapter {
  manifest: AdapterManifest;
  send(request: OutgoingRequest, context: CallContext): Promise<WriteAnswer>;
  /** Asks by key. `operationKey` is the phase's own key, `createKey` the key of the operation that made the object. */
  look(
    query: {
      operationKey: string;
      createKey: string;
      slot: string;
      phase: OperationPhase;
      remoteId: string | null;
      target: string;
    },
    context: CallContext,
  ): Promise<LookAnswer>;
}

/** What became of each recipient, as the mail provider reports it. Recipient ids only, never addresses. */
export type DeliveryReport =
  | {
      kind: "seen";
      recipients: readonly {
        recipientId: string;
        outcome: "accepted" | "delivered" | "bounced" | "complained";
        at: Instant;
        code: string | null;
      }[];
    }
  | { kind: "failed"; error: RawError };

export interface DeliveryObserver {
  report(query: { target: string; remoteId: string }, context: CallContext): Promise<DeliveryReport>;
}

/** A public page as a reader gets it, past caches. */
export type PageRead =
  | {
      kind: "read";
      httpStatus: number;
      finalUrl: string;
      bytes: Uint8Array;
      mediaType: string;
      ageSeconds: number | null;
    }
  | { kind: "failed"; error: RawError };

export interface PageProbe {
  read(url: string, context: CallContext): Promise<PageRead>;
}

// ---------------------------------------------------------------- sources and drafting

export type SourceFormat = "rss" | "atom" | "json-feed" | "html" | "auto";

/** One of the fixed sources as configured. `required` sources block the edition when they cannot be had. */
export interface SourceConfig {
  id: string;
  title: string;
  url: string;
  format: SourceFormat;
  licence: string;
  required: boolean;
  /** Where the bytes came from at first, if they are a copy: what their relative links belong to. */
  baseUrl?: string;
}

/** The bytes of one source as fetched, with what is needed to decode and prove them. */
export type SourceRead =
  | {
      kind: "read";
      bytes: Uint8Array;
      requestedUrl: string;
      finalUrl: string;
      httpStatus: number;
      /** The Content-Type header as received, or null. */
      contentType: string | null;
      fetchedAt: Instant;
    }
  | { kind: "failed"; error: RawError };

export interface SourceReader {
  read(source: SourceConfig, context: CallContext): Promise<SourceRead>;
}

/** One item of a source after parsing, in the deterministic extracted text of its snapshot. */
export interface SourceItem {
  /** guid / atom:id / JSON id / URL with fragment; stable between editions. */
  key: string;
  title: string;
  url: string | null;
  publishedAt: Instant | null;
  /** Where the item's own text stands in the extracted text: UTF-16 offsets, end exclusive. */
  start: number;
  end: number;
  /** Further links found in the item, absolute. */
  links: readonly string[];
}

/**
 * A snapshot decoded and laid out as plain text by a numbered, deterministic rule, so that a quote can name a span of it
 * and anyone can derive the same text again from the frozen bytes.
 */
export interface ExtractedSource {
  rule: number;
  encoding: string;
  title: string;
  homepage: string | null;
  text: string;
  items: readonly SourceItem[];
}

export type Extraction =
  | { kind: "extracted"; source: ExtractedSource }
  | { kind: "unusable"; code: string; detail: string };

export interface SourceParser {
  extract(input: { bytes: Uint8Array; contentType: string | null; finalUrl: string; format: SourceFormat }): Extraction;
}

/** A change stated as a fact, quoting a span of a frozen source's extracted text. */
export interface Fact {
  id: string;
  headline: string;
  statement: string;
  sourceId: string;
  snapshotHash: Sha256;
  /** The span quoted, UTF-16 offsets in the extracted text, end exclusive; `quote` is that text exactly. */
  start: number;
  end: number;
  quote: string;
  url: string;
}

export interface DraftInput {
  edition: string;
  language: string;
  wanted: number;
  sources: readonly {
    config: SourceConfig;
    snapshotHash: Sha256;
    extracted: ExtractedSource;
    newItemKeys: readonly string[];
  }[];
}

/** Writes facts from frozen sources. The embedded one is extractive; the port also fits a model behind an API. */
export interface Drafter {
  name: string;
  draft(input: DraftInput, context: CallContext): Promise<DraftResult>;
  /** One structural repair of an answer that failed the schema (domain 8). */
  repair(input: DraftInput, faults: readonly string[], context: CallContext): Promise<DraftResult>;
}

/** `raw` is checked against the schema by the pipeline, whoever wrote it. */
export type DraftResult = { kind: "drafted"; raw: unknown } | { kind: "failed"; error: RawError };

// ---------------------------------------------------------------- links

export type LinkVerdict = "ok" | "redirect" | "timeout" | "bot_blocked" | "broken";

export interface LinkCheck {
  url: string;
  verdict: LinkVerdict;
  httpStatus: number | null;
  /** Where the chain ended. */
  finalUrl: string | null;
  hops: number;
  code: string | null;
}

export interface LinkChecker {
  check(url: string, context: CallContext): Promise<LinkCheck>;
}
