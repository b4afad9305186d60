import type { Campaign, Post, PostVersion, SandboxState } from "./state";

const iso = (at: number): string => new Date(at).toISOString();

/** A post as the CMS shows it. */
export function showPost(post: Post, version: PostVersion, base: string): Record<string, unknown> {
  return {
    id: post.id,
    key: post.key,
    intentKey: post.intentKey,
    slug: post.slug,
    url: `${base}/site/${encodeURIComponent(post.slug)}`,
    status: version.status,
    revision: version.revision,
    title: version.title,
    language: post.language,
    contentHash: version.contentHash,
    intentHash: version.intentHash,
    taskId: version.taskId,
    appliedKeys: version.appliedKeys,
    createdAt: iso(post.createdAt),
    updatedAt: iso(version.at),
  };
}

/** The newest version that was there at `until`, or null where there was none yet. */
export function versionAt(post: Post, until: number): PostVersion | null {
  let found: PostVersion | null = null;
  for (const version of post.versions) if (version.at <= until) found = version;
  return found;
}

/** The newest version of all: what a write works on. */
export function newestVersion(post: Post): PostVersion {
  const version = post.versions[post.versions.length - 1];
  if (version === undefined) throw new Error(`post ${post.id} has no version`);
  return version;
}

/** A campaign as the mail provider shows it at `until`; later triggers are left out. */
export function showCampaign(campaign: Campaign, until: number, deliveryDelayMs: number): Record<string, unknown> {
  const triggers = campaign.triggers.filter((trigger) => trigger.at <= until);
  const last = triggers[triggers.length - 1];
  const isCancelled = campaign.cancelled !== undefined && campaign.cancelled.at <= until;
  const resting = isCancelled ? "cancelled" : "draft";
  const running = last === undefined ? resting : last.at + deliveryDelayMs > until ? "sending" : "sent";
  return {
    id: campaign.id,
    key: campaign.key,
    intentKey: campaign.intentKey,
    name: campaign.name,
    subject: campaign.subject,
    status: running,
    bodyHash: campaign.bodyHash,
    audienceHash: campaign.audienceHash,
    intentHash: campaign.intentHash,
    taskId: campaign.taskId,
    pageUrl: campaign.pageUrl,
    recipientCount: campaign.recipients.length,
    triggers: triggers.map((trigger) => ({ key: trigger.key, at: iso(trigger.at) })),
    appliedKeys: isCancelled ? (campaign.cancelled?.keys ?? []) : [],
    createdAt: iso(campaign.createdAt),
  };
}

export interface ReportedRecipient {
  id: string;
  outcome: "accepted" | "delivered" | "bounced" | "complained";
  at: string;
  code: string | null;
}

/** What became of every recipient by `until`. Who bounces is decided by id order, so that a run can be repeated. */
export function reportRecipients(state: SandboxState, campaign: Campaign, until: number): ReportedRecipient[] {
  const trigger = campaign.triggers[0];
  if (trigger === undefined || trigger.at > until) return [];
  const { bounces, complaints, deliveryDelayMs, pendingForever } = state.config;
  const ids = campaign.recipients.map((recipient) => recipient.id).sort();
  const finalAt = trigger.at + deliveryDelayMs;
  return ids.map((id, index): ReportedRecipient => {
    const fromEnd = ids.length - index;
    if (finalAt > until || index < pendingForever) return { id, outcome: "accepted", at: iso(trigger.at), code: null };
    if (fromEnd <= bounces) return { id, outcome: "bounced", at: iso(finalAt), code: "5.1.1" };
    if (fromEnd <= bounces + complaints) return { id, outcome: "complained", at: iso(finalAt), code: "abuse" };
    return { id, outcome: "delivered", at: iso(finalAt), code: null };
  });
}

/** The provider's own sum over a report. Everybody reported was accepted; what is neither final nor refused is pending. */
export function sumReport(recipients: readonly ReportedRecipient[]): Record<string, number> {
  const count = (outcome: string): number => recipients.filter((entry) => entry.outcome === outcome).length;
  return {
    accepted: recipients.length,
    delivered: count("delivered"),
    bounced: count("bounced"),
    complained: count("complained"),
    pending: count("accepted"),
  };
}

/** Every mail that went out: one per trigger and recipient, so a second trigger is plainly a second mail. */
export function listMailings(state: SandboxState): { campaignId: number; recipientId: string; at: string }[] {
  return state.campaigns.flatMap((campaign) =>
    campaign.triggers.flatMap((trigger) =>
      campaign.recipients.map((recipient) => ({
        campaignId: campaign.id,
        recipientId: recipient.id,
        at: iso(trigger.at),
      })),
    ),
  );
}
