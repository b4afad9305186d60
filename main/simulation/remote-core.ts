import type { Instant } from "../domain/ids";
import type { RemoteObject } from "../domain/ports";

/** A website and a mail provider in memory, with the sandbox's semantics: nothing is deduplicated, a second trigger mails again. */

interface PostVersion {
  at: Instant;
  revision: number;
  status: string;
  html: string;
  contentHash: string;
  intentHash: string;
  taskId: string;
  appliedKeys: readonly string[];
}

export interface Post {
  id: string;
  key: string;
  slug: string;
  versions: PostVersion[];
}

export interface Campaign {
  id: string;
  key: string;
  name: string;
  bodyHash: string;
  audienceHash: string;
  intentHash: string;
  taskId: string;
  recipients: readonly string[];
  createdAt: Instant;
  triggers: { key: string; at: Instant }[];
  cancels: { key: string; at: Instant }[];
}

/** What a remote says to a write. `object` is null where it refuses without showing anything. */
export interface RemoteAnswer {
  status: number;
  object: RemoteObject | null;
}

/** A request body as sent; what it must have depends on the call. */
export type Body = Readonly<Record<string, unknown>>;

const text = (body: Body, name: string): string => String(body[name] ?? "");

export class RemoteCore {
  readonly posts: Post[] = [];
  readonly campaigns: Campaign[] = [];

  constructor(readonly base: string) {}

  createPost(body: Body, at: Instant): RemoteAnswer {
    const version = { ...versionOf(body, at), status: text(body, "status"), revision: 1, appliedKeys: [] };
    const wanted = text(body, "slug");
    const taken = this.posts.filter((post) => post.slug === wanted || post.slug.startsWith(`${wanted}-`)).length;
    const post: Post = {
      id: String(18_427 + this.posts.length),
      key: text(body, "key"),
      // As WordPress does: a taken slug gets the next free number, and nobody is told but by the answer.
      slug: taken === 0 ? wanted : `${wanted}-${taken + 1}`,
      versions: [version],
    };
    this.posts.push(post);
    return { status: 201, object: this.showPost(post, version) };
  }

  /** New content or a new state of a post; refused when it is for another revision than is there. */
  changePost(id: string, body: Body, at: Instant): RemoteAnswer {
    const post = this.posts.find((candidate) => candidate.id === id);
    const before = post?.versions.at(-1);
    if (!post || !before) return { status: 404, object: null };
    const key = text(body, "key");
    const isContent = body["html"] !== undefined;
    const isRepeat = !isContent && before.appliedKeys.includes(key) && before.status === body["status"];
    if (isRepeat) return { status: 200, object: this.showPost(post, before) };
    const expected = body["expectedRevision"] ?? null;
    if (expected !== null && expected !== before.revision) return { status: 412, object: this.showPost(post, before) };
    const changed = isContent
      ? { ...before, ...versionOf(body, at), revision: before.revision + 1 }
      : { ...before, at, status: text(body, "status") };
    const version = { ...changed, appliedKeys: [...new Set([...before.appliedKeys, key])] };
    post.versions.push(version);
    return { status: 200, object: this.showPost(post, version) };
  }

  createCampaign(body: Body, at: Instant): RemoteAnswer {
    const recipients = (body["recipients"] ?? []) as readonly { id: string }[];
    const campaign: Campaign = {
      id: String(930 + this.campaigns.length),
      key: text(body, "key"),
      name: text(body, "name"),
      bodyHash: text(body, "bodyHash"),
      audienceHash: text(body, "audienceHash"),
      intentHash: text(body, "intentHash"),
      taskId: text(body, "taskId"),
      recipients: recipients.map(({ id }) => id),
      createdAt: at,
      triggers: [],
      cancels: [],
    };
    this.campaigns.push(campaign);
    return { status: 201, object: showCampaign(campaign, at) };
  }

  trigger(id: string, body: Body, at: Instant): RemoteAnswer {
    const campaign = this.campaigns.find((candidate) => candidate.id === id);
    if (!campaign) return { status: 404, object: null };
    if (campaign.cancels.length > 0) return { status: 400, object: showCampaign(campaign, at) };
    campaign.triggers.push({ key: text(body, "key"), at });
    return { status: 202, object: showCampaign(campaign, at) };
  }

  cancel(id: string, body: Body, at: Instant): RemoteAnswer {
    const campaign = this.campaigns.find((candidate) => candidate.id === id);
    if (!campaign) return { status: 404, object: null };
    if (campaign.triggers.length > 0) return { status: 400, object: showCampaign(campaign, at) };
    campaign.cancels.push({ key: text(body, "key"), at });
    return { status: 200, object: showCampaign(campaign, at) };
  }

  /** Posts as a query sees them that lags behind the writes. */
  postsAt(until: Instant, matches: (post: Post) => boolean): RemoteObject[] {
    return this.posts.filter(matches).flatMap((post) => {
      const version = versionAt(post, until);
      return version ? [this.showPost(post, version)] : [];
    });
  }

  campaignsAt(until: Instant, matches: (campaign: Campaign) => boolean): RemoteObject[] {
    return this.campaigns
      .filter((campaign) => campaign.createdAt <= until && matches(campaign))
      .map((campaign) => showCampaign(campaign, until));
  }

  /** What readers get at an address: null where nothing is public. */
  pageAt(url: string, until: Instant): string | null {
    const post = this.posts.find((candidate) => this.urlOf(candidate) === url);
    const version = post && versionAt(post, until);
    return version?.status === "published" ? version.html : null;
  }

  private urlOf(post: Post): string {
    return `${this.base}/site/${post.slug}`;
  }

  private showPost(post: Post, version: PostVersion): RemoteObject {
    const { intentHash, contentHash, taskId, status: state, revision, appliedKeys } = version;
    const hashes = { intentHash, contentHash, taskId };
    return { remoteId: post.id, externalKey: post.key, ...hashes, url: this.urlOf(post), state, revision, appliedKeys };
  }
}

/** The newest version that was there at `until`. */
const versionAt = (post: Post, until: Instant): PostVersion | undefined =>
  post.versions.filter((version) => version.at <= until).at(-1);

function versionOf(body: Body, at: Instant) {
  return {
    at,
    html: text(body, "html"),
    contentHash: text(body, "contentHash"),
    intentHash: text(body, "intentHash"),
    taskId: text(body, "taskId"),
  };
}

function showCampaign(campaign: Campaign, until: Instant): RemoteObject {
  const triggers = campaign.triggers.filter((trigger) => trigger.at <= until);
  const cancels = campaign.cancels.filter((cancel) => cancel.at <= until);
  return {
    remoteId: campaign.id,
    externalKey: campaign.key,
    intentHash: campaign.intentHash,
    contentHash: campaign.bodyHash,
    taskId: campaign.taskId,
    url: null,
    state: triggers.length > 0 ? "sent" : cancels.length > 0 ? "cancelled" : "draft",
    revision: null,
    appliedKeys: [...triggers, ...cancels].map(({ key }) => key),
  };
}
