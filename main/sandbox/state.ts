import { DEFAULT_SANDBOX_CONFIG, type SandboxConfig } from "./config";
import type { FaultRule } from "./faults";
import { applyServicesRecord, emptyServices, type ServicesRecord, type ServicesState } from "./services-state";

export type PostStatus = "draft" | "published" | "trash";

/** One state a post was in. Older ones stay, so that revisions can be read and queries can lag. */
export interface PostVersion {
  at: number;
  revision: number;
  status: PostStatus;
  title: string;
  html: string;
  contentHash: string;
  intentHash: string;
  taskId: string;
  /** Keys of all writes that were applied to the post after its creation. */
  appliedKeys: string[];
  /** SHA-256 of the request body as received: what exactly arrived. */
  requestHash: string;
}

export interface Post {
  id: number;
  key: string;
  intentKey: string;
  slug: string;
  language: string;
  createdAt: number;
  versions: PostVersion[];
}

export interface Campaign {
  id: number;
  key: string;
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
  /** Addresses are digested on arrival: nothing is really mailed, so nothing here needs to know them. */
  recipients: { id: string; addressHash: string }[];
  createdAt: number;
  requestHash: string;
  triggers: { key: string; at: number }[];
  /** Set once somebody held it back: it can no longer be started. */
  cancelled?: { keys: string[]; at: number };
}

export const counterNames = [
  "cms.create",
  "cms.update",
  "cms.status",
  "cms.query",
  "mail.create",
  "mail.trigger",
  "mail.status",
  "mail.query",
  "mail.report",
  "member.status",
  "voucher.status",
  "message.send",
  "service.query",
  "site.read",
  "link.read",
] as const;
export type CounterName = (typeof counterNames)[number];

/** A write that was cut off on the line and is carried out later, when the clock reaches `dueAt`. */
export interface Deferred {
  id: number;
  dueAt: number;
  command: unknown;
}

/** One line of the records file. */
export type SandboxRecord =
  | { type: "config"; config: SandboxConfig }
  | { type: "post-created"; post: Post }
  | { type: "post-changed"; id: number; version: PostVersion }
  | { type: "campaign-created"; campaign: Campaign }
  | { type: "campaign-triggered"; id: number; key: string; at: number }
  | { type: "campaign-cancelled"; id: number; key: string; at: number }
  | ServicesRecord
  | { type: "call"; counter: CounterName; at: number; slug?: string }
  | { type: "source-read"; file: string; at: number }
  | { type: "fault-added"; rule: FaultRule }
  | { type: "fault-passed"; id: number }
  | { type: "fault-fired"; id: number; at: number }
  | { type: "faults-cleared" }
  | { type: "deferred"; deferred: Deferred }
  | { type: "deferred-done"; id: number };

/** What the public saw under a slug, newest last, and how often it was read since it changed. */
export interface PublicHistory {
  shown: (string | null)[];
  reads: number;
}

export interface SandboxState {
  config: SandboxConfig;
  posts: Post[];
  campaigns: Campaign[];
  services: ServicesState;
  calls: Record<CounterName, number>;
  sourceReads: Record<string, number>;
  publicPages: Map<string, PublicHistory>;
  faults: FaultRule[];
  deferred: Deferred[];
  /** Highest number given to a fault rule or deferred write, so that numbers are never used twice. */
  lastNumber: number;
  /** The latest time any request was seen to carry. */
  seenAt: number;
}

export function emptyState(): SandboxState {
  const calls = Object.fromEntries(counterNames.map((name) => [name, 0])) as Record<CounterName, number>;
  return {
    config: { ...DEFAULT_SANDBOX_CONFIG },
    posts: [],
    campaigns: [],
    services: emptyServices(),
    calls,
    sourceReads: {},
    publicPages: new Map(),
    faults: [],
    deferred: [],
    lastNumber: 0,
    seenAt: 0,
  };
}

/**
 * Folds one record into the state. The file is the truth and this is its only reading, live and at replay.
 * @throws Error on a record of a kind this version does not know.
 */
export function applyRecord(state: SandboxState, record: SandboxRecord): void {
  switch (record.type) {
    case "config":
      state.config = record.config;
      return;
    case "post-created":
      state.posts.push(record.post);
      see(state, record.post.createdAt);
      notePublic(state, record.post.slug);
      return;
    case "post-changed": {
      const post = state.posts.find((candidate) => candidate.id === record.id);
      if (post === undefined) throw new Error(`record about a post that does not exist: ${record.id}`);
      post.versions.push(record.version);
      see(state, record.version.at);
      notePublic(state, post.slug);
      return;
    }
    case "campaign-created":
      state.campaigns.push(record.campaign);
      see(state, record.campaign.createdAt);
      return;
    case "campaign-triggered": {
      const campaign = state.campaigns.find((candidate) => candidate.id === record.id);
      if (campaign === undefined) throw new Error(`record about a campaign that does not exist: ${record.id}`);
      campaign.triggers.push({ key: record.key, at: record.at });
      see(state, record.at);
      return;
    }
    case "campaign-cancelled": {
      const campaign = state.campaigns.find((candidate) => candidate.id === record.id);
      if (campaign === undefined) throw new Error(`record about a campaign that does not exist: ${record.id}`);
      const { keys = [], at = record.at } = campaign.cancelled ?? {};
      campaign.cancelled = { keys: [...keys, record.key], at };
      see(state, record.at);
      return;
    }
    case "member-changed":
    case "message-sent":
      applyServicesRecord(state.services, record);
      see(state, record.type === "member-changed" ? record.version.at : record.message.at);
      return;
    case "call": {
      state.calls[record.counter] += 1;
      const page = record.slug === undefined ? undefined : state.publicPages.get(record.slug);
      if (page !== undefined) page.reads += 1;
      see(state, record.at);
      return;
    }
    case "source-read":
      state.sourceReads[record.file] = (state.sourceReads[record.file] ?? 0) + 1;
      see(state, record.at);
      return;
    default:
      applyControl(state, record);
  }
}

function applyControl(state: SandboxState, record: SandboxRecord): void {
  switch (record.type) {
    case "fault-added":
      state.faults.push(record.rule);
      state.lastNumber = Math.max(state.lastNumber, record.rule.id);
      return;
    case "fault-passed":
    case "fault-fired": {
      const rule = state.faults.find((candidate) => candidate.id === record.id);
      if (rule !== undefined) rule[record.type === "fault-passed" ? "skipped" : "fired"] += 1;
      return;
    }
    case "faults-cleared":
      state.faults = [];
      return;
    case "deferred":
      state.deferred.push(record.deferred);
      state.lastNumber = Math.max(state.lastNumber, record.deferred.id);
      return;
    case "deferred-done":
      state.deferred = state.deferred.filter((entry) => entry.id !== record.id);
      return;
    default:
      throw new Error(`unknown kind of record: ${record.type}`);
  }
}

function see(state: SandboxState, at: number): void {
  state.seenAt = Math.max(state.seenAt, at);
}

/** Keeps what the public gets under a slug, so that a stale cache can show what was there before. */
function notePublic(state: SandboxState, slug: string): void {
  const page = state.publicPages.get(slug) ?? { shown: [null], reads: 0 };
  const html = publicPost(state, slug)?.html ?? null;
  if (page.shown[page.shown.length - 1] !== html) {
    page.shown.push(html);
    page.reads = 0;
  }
  state.publicPages.set(slug, page);
}

/** The published version under a slug. Two posts may hold one slug, as in real systems: the older one is shown. */
function publicPost(state: SandboxState, slug: string): PostVersion | null {
  for (const post of state.posts) {
    const version = post.versions[post.versions.length - 1];
    if (post.slug === slug && version?.status === "published") return version;
  }
  return null;
}
