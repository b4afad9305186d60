import type { ErrorTable } from "../../domain/errors";
import type { OperationId, Sha256 } from "../../domain/ids";
import type {
  BlobStore,
  Clock,
  CrashPoints,
  DeliveryObserver,
  Drafter,
  LinkChecker,
  PageProbe,
  Randomness,
  SourceConfig,
  SourceParser,
  SourceReader,
  WriteAdapter,
} from "../../domain/ports";
import type { TaskRow } from "../../domain/records";
import type { Breaker } from "../../engine/breaker";
import type { PreviousEdition } from "./previous";

/** A recipient without the address: what an edition's audience is made of. */
export interface AudienceMember {
  recipientId: string;
  group: string;
  /** Keyed digest of the canonical address. */
  digest: string;
}

/** The customers' database as the pipeline sees it. Addresses come out only for the bytes of a request. */
export interface CustomerPort {
  members(): readonly AudienceMember[];
  importVersion(): number;
  addressesFor(ids: readonly string[]): ReadonlyMap<string, string>;
  /** Keeps the exact bytes of a mail request, encrypted; the second time other bytes are refused (null). */
  keepRequest(operationId: OperationId, bytes: Uint8Array): Sha256 | null;
  keptRequest(operationId: OperationId): Uint8Array | null;
}

/** How the website's adapter writes its requests; the bytes are frozen once and sent as they are. */
export interface CmsRequests {
  create(input: {
    operationKey: string;
    intentKey: string;
    slug: string;
    title: string;
    language: string;
    html: string;
    contentHash: string;
    intentHash: string;
    taskId: string;
    status: "draft" | "published";
  }): Uint8Array;
  update(input: {
    operationKey: string;
    expectedRevision: number;
    title: string;
    html: string;
    contentHash: string;
    intentHash: string;
    taskId: string;
  }): Uint8Array;
  /** A state to reach; a null revision means whatever content is there. */
  status(input: { operationKey: string; status: "draft" | "published"; expectedRevision: number | null }): Uint8Array;
  /** The last part of the page's address for a slot. */
  slugOf(slot: string): string;
  /** Where the page is expected before the website has said so. */
  plannedUrl(slug: string): string;
}

/** How the mail provider's adapter writes its requests. The create holds addresses: it is kept encrypted only. */
export interface MailRequests {
  create(input: {
    operationKey: string;
    intentKey: string;
    name: string;
    subject: string;
    text: string;
    html: string;
    bodyHash: string;
    audienceHash: string;
    intentHash: string;
    taskId: string;
    pageUrl: string;
    recipients: readonly { id: string; address: string }[];
  }): Uint8Array;
  trigger(input: { operationKey: string }): Uint8Array;
  /** Holds a campaign back that was not started yet. */
  cancel(input: { operationKey: string }): Uint8Array;
}

/** What the briefing needs from outside. `compose.ts` brings it. */
export interface BriefingPorts {
  blobs: BlobStore;
  customers: CustomerPort;
  clock: Clock;
  crash: CrashPoints;
  random: Randomness;
  breaker: Breaker;
  sources(): Promise<readonly SourceConfig[]>;
  reader: SourceReader;
  readErrors: ErrorTable;
  parser: SourceParser;
  drafter: Drafter;
  links: LinkChecker;
  probe: PageProbe;
  cms: {
    adapter: WriteAdapter;
    name: string;
    target: string;
    requests: CmsRequests;
    /** An invisible draft first, a look, then published by its id: a late duplicate is a stray draft (domain 6). */
    twoPhase?: boolean;
  };
  mail: { adapter: WriteAdapter & DeliveryObserver; name: string; target: string; requests: MailRequests };
  /** Facts an edition should have. */
  wantedFacts: number;
  suppressions(): readonly { recipientId: string; reason: string }[];
  previous(task: TaskRow): PreviousEdition | null;
  /** The package under which a content was approved for this edition, in whichever version; null: nobody here approved it. */
  approvedPackage(taskKey: string, contentHash: Sha256): Sha256 | null;
  /** CheckPassed events in the journal so far: the next receipt's number. */
  receiptsSoFar(): number;
}
