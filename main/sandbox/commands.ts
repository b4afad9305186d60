import { createHash } from "node:crypto";
import { z } from "zod";
import { type Answer, refuse } from "./exchange";
import { executeServices, type ServicesCommand } from "./services-execute";
import type { Campaign, Post, PostStatus } from "./state";
import type { Store } from "./store";
import { newestVersion, showCampaign, showPost } from "./views";

const text = z.string();
const name = z.string().min(1).max(2000);
// A real remote does not know what our hashes are; it keeps what it is given.
const hash = z.string().min(1).max(200);
const status = z.enum(["draft", "published", "trash"]);
const hashes = { contentHash: hash, intentHash: hash, taskId: name };

export const createPostSchema = z.object({
  key: name,
  intentKey: name,
  slug: z.string().regex(/^[\p{L}\p{N}][\p{L}\p{N}._-]{0,199}$/u),
  title: name,
  language: name,
  html: text,
  ...hashes,
  status: z.enum(["draft", "published"]).default("published"),
});
export const updatePostSchema = z.object({
  key: name,
  expectedRevision: z.int(),
  title: name,
  html: text,
  ...hashes,
});
export const setStatusSchema = z.object({ key: name, status, expectedRevision: z.int().nullable().default(null) });
export const createCampaignSchema = z.object({
  key: name,
  intentKey: name,
  name,
  subject: name,
  text,
  html: text,
  bodyHash: hash,
  audienceHash: hash,
  intentHash: hash,
  taskId: name,
  pageUrl: name,
  recipients: z.array(z.object({ id: name, address: name })).min(1),
});
export const triggerSchema = z.object({ key: name });
export const cancelSchema = z.object({ key: name, status: z.literal("cancelled") });

/** A write, checked, and ready to be carried out now or later. */
export type Command = { requestHash: string } & (
  | { on: "cms.create"; input: z.infer<typeof createPostSchema> }
  | { on: "cms.update"; id: number; input: z.infer<typeof updatePostSchema> }
  | { on: "cms.status"; id: number; input: z.infer<typeof setStatusSchema> }
  | { on: "mail.create"; input: z.infer<typeof createCampaignSchema> }
  | { on: "mail.trigger"; id: number; input: z.infer<typeof triggerSchema> }
  | { on: "mail.status"; id: number; input: z.infer<typeof cancelSchema> }
  | ServicesCommand
);
type CommandOf<On extends Command["on"]> = Extract<Command, { on: On }>;

/** Carries a write out: its records are on disk when this returns. Writes see everything at once, queries lag. */
export function execute(store: Store, command: Command, at: number, base: string): Answer {
  switch (command.on) {
    case "cms.create":
      return createPost(store, command, at, base);
    case "cms.update":
      return updatePost(store, command, at, base);
    case "cms.status":
      return setStatus(store, command, at, base);
    case "mail.create":
      return createCampaign(store, command, at);
    case "mail.trigger":
      return trigger(store, command, at);
    case "mail.status":
      return cancel(store, command, at);
    case "member.status":
    case "voucher.status":
    case "message.send":
      return executeServices(store, command, at);
  }
}

function createPost(store: Store, command: CommandOf<"cms.create">, at: number, base: string): Answer {
  const { input } = command;
  const { posts, config } = store.state;
  if (config.uniqueKeys) {
    const sameKey = posts.find((post) => post.key === input.key);
    if (sameKey !== undefined) return conflict(sameKey, "duplicate_key", base);
    const sameSlug = posts.find((post) => post.slug === input.slug);
    if (sameSlug !== undefined) return conflict(sameSlug, "slug_taken", base);
  }
  const post: Post = {
    id: Math.max(config.firstPostId, ...posts.map((other) => other.id + 1)),
    key: input.key,
    intentKey: input.intentKey,
    slug: freeSlug(posts, input.slug),
    language: input.language,
    createdAt: at,
    versions: [{ ...versionOf(input), at, revision: 1, appliedKeys: [], requestHash: command.requestHash }],
  };
  store.append({ type: "post-created", post });
  return { status: 201, body: showPost(post, newestVersion(post), base) };
}

/** The answer to a create that something already there stands against. */
function conflict(post: Post, code: "duplicate_key" | "slug_taken", base: string): Answer {
  return refuse(409, code, { object: showPost(post, newestVersion(post), base) });
}

function versionOf(
  input: { title: string; html: string; contentHash: string; intentHash: string; taskId: string } & {
    status: PostStatus;
  },
) {
  const { title, html, contentHash, intentHash, taskId, status: state } = input;
  return { title, html, contentHash, intentHash, taskId, status: state };
}

/** As WordPress does: a taken slug gets the next free number, and nobody is told but by the answer. */
function freeSlug(posts: readonly Post[], wanted: string): string {
  const taken = new Set(posts.map((post) => post.slug));
  let slug = wanted;
  for (let number = 2; taken.has(slug); number += 1) slug = `${wanted}-${number}`;
  return slug;
}

function updatePost(store: Store, command: CommandOf<"cms.update">, at: number, base: string): Answer {
  const post = store.state.posts.find((candidate) => candidate.id === command.id);
  if (post === undefined) return refuse(404, "not_found");
  const before = newestVersion(post);
  const { input, requestHash } = command;
  if (before.revision !== input.expectedRevision) {
    return refuse(412, "revision_mismatch", { object: showPost(post, before, base) });
  }
  const fields = versionOf({ ...input, status: before.status });
  const appliedKeys = [...before.appliedKeys, input.key];
  store.append({
    type: "post-changed",
    id: post.id,
    version: { ...fields, at, revision: before.revision + 1, appliedKeys, requestHash },
  });
  return { status: 200, body: showPost(post, newestVersion(post), base) };
}

/** Sets a target state. Asking for the state that already is there is harmless, so it may be repeated. */
function setStatus(store: Store, command: CommandOf<"cms.status">, at: number, base: string): Answer {
  const post = store.state.posts.find((candidate) => candidate.id === command.id);
  if (post === undefined) return refuse(404, "not_found");
  const before = newestVersion(post);
  const { input, requestHash } = command;
  const isRepeat = before.status === input.status && before.appliedKeys.includes(input.key);
  if (isRepeat) return { status: 200, body: showPost(post, before, base) };
  if (input.expectedRevision !== null && before.revision !== input.expectedRevision) {
    return refuse(412, "revision_mismatch", { object: showPost(post, before, base) });
  }
  const appliedKeys = [...new Set([...before.appliedKeys, input.key])];
  const version = { ...before, at, status: input.status, appliedKeys, requestHash };
  store.append({ type: "post-changed", id: post.id, version });
  return { status: 200, body: showPost(post, newestVersion(post), base) };
}

function createCampaign(store: Store, command: CommandOf<"mail.create">, at: number): Answer {
  const { campaigns, config } = store.state;
  const { recipients, ...fields } = command.input;
  const known = campaigns.find((campaign) => campaign.key === fields.key);
  if (config.uniqueKeys && known !== undefined) {
    return refuse(409, "duplicate_key", { object: showCampaign(known, at, config.deliveryDelayMs) });
  }
  const campaign: Campaign = {
    id: Math.max(config.firstCampaignId, ...campaigns.map((other) => other.id + 1)),
    ...fields,
    recipients: recipients.map(({ id, address }) => ({
      id,
      addressHash: createHash("sha256").update(address, "utf8").digest("hex"),
    })),
    createdAt: at,
    requestHash: command.requestHash,
    triggers: [],
  };
  store.append({ type: "campaign-created", campaign });
  return { status: 201, body: showCampaign(campaign, at, config.deliveryDelayMs) };
}

function trigger(store: Store, command: CommandOf<"mail.trigger">, at: number): Answer {
  const { campaigns, config } = store.state;
  const campaign = campaigns.find((candidate) => candidate.id === command.id);
  if (campaign === undefined) return refuse(404, "not_found");
  if (campaign.cancelled) {
    return refuse(400, "cancelled", { object: showCampaign(campaign, store.horizon(at), config.deliveryDelayMs) });
  }
  if (config.uniqueTriggers && campaign.triggers.length > 0) {
    return refuse(400, "already_sent", { object: showCampaign(campaign, store.horizon(at), config.deliveryDelayMs) });
  }
  store.append({ type: "campaign-triggered", id: campaign.id, key: command.input.key, at });
  const shown = showCampaign(campaign, store.horizon(at), config.deliveryDelayMs);
  return { status: 202, body: { ...shown, status: "sending" } };
}

/** Sets a target state, so it may be repeated; what was mailed already cannot be held back. */
function cancel(store: Store, command: CommandOf<"mail.status">, at: number): Answer {
  const { campaigns, config } = store.state;
  const campaign = campaigns.find((candidate) => candidate.id === command.id);
  if (campaign === undefined) return refuse(404, "not_found");
  const shown = () => showCampaign(campaign, store.horizon(at), config.deliveryDelayMs);
  if (campaign.triggers.length > 0) return refuse(400, "already_sent", { object: shown() });
  if (!campaign.cancelled?.keys.includes(command.input.key))
    store.append({ type: "campaign-cancelled", id: campaign.id, key: command.input.key, at });
  return { status: 200, body: shown() };
}
