import { cmsSandboxManifest, slugOfSlot } from "../adapters/cms/sandbox";
import { mailSandboxManifest } from "../adapters/mail/sandbox";
import type { DeliveryObserver, DeliveryReport, WriteAdapter } from "../domain/ports";
import type { Life } from "./crash";
import { ask, deliver, judge, type Line, rawError } from "./remote";
import type { Campaign } from "./remote-core";

/** The website as one process reaches it. */
export function simulatedCms(line: Line, life: Life): WriteAdapter {
  const manifest = cmsSandboxManifest;
  return {
    manifest,
    send: async (request, context) => {
      const { phase, remoteId } = request;
      const heard = await deliver(line, life, request, context, (core, body, at) =>
        phase === "create" ? core.createPost(body, at) : core.changePost(remoteId ?? "", body, at),
      );
      return judge(heard, manifest.errors);
    },
    look: ({ createKey, slot, remoteId }, context) => {
      const slug = slugOfSlot(slot);
      return ask(line, life, context, remoteId === null ? `key=${createKey}` : `id=${remoteId}`, (core, until) =>
        core.postsAt(until, (post) =>
          remoteId === null ? post.key === createKey || post.slug === slug : post.id === remoteId,
        ),
      );
    },
  };
}

/** The mail provider as one process reaches it. */
export function simulatedMail(line: Line, life: Life): WriteAdapter & DeliveryObserver {
  const manifest = mailSandboxManifest;
  return {
    manifest,
    send: async (request, context) => {
      const { phase } = request;
      const remoteId = request.remoteId ?? "";
      const heard = await deliver(line, life, request, context, (core, body, at) => {
        if (phase === "create") return core.createCampaign(body, at);
        return phase === "trigger" ? core.trigger(remoteId, body, at) : core.cancel(remoteId, body, at);
      });
      return judge(heard, manifest.errors);
    },
    look: ({ createKey, remoteId }, context) =>
      ask(line, life, context, remoteId === null ? `key=${createKey}` : `id=${remoteId}`, (core, until) =>
        core.campaignsAt(until, ({ id, key }) => (remoteId === null ? key === createKey : id === remoteId)),
      ),
    report: async ({ remoteId }, context) => {
      const seen = await ask(line, life, context, `report=${remoteId}`, () => []);
      if (seen.kind === "failed") return { kind: "failed", error: seen.error };
      const campaign = line.core.campaigns.find((candidate) => candidate.id === remoteId);
      if (!campaign) return { kind: "failed", error: rawError("query", "http_404", 404) };
      return { kind: "seen", recipients: reportOf(line, campaign) };
    },
  };
}

/** From the trigger to the final word about a recipient. */
const DELIVERY_MS = 90_000;

type Reported = Extract<DeliveryReport, { kind: "seen" }>["recipients"][number];

/** Who got it, in any order and some of them twice; now and then with somebody whom nobody sent to. */
function reportOf(line: Line, campaign: Campaign): Reported[] {
  const last = campaign.triggers.at(-1);
  if (!last) return [];
  const at = line.clock.now();
  const isOver = at >= last.at + DELIVERY_MS;
  const rows = campaign.recipients.map((recipientId, index): Reported => {
    // The provider's own word about a recipient does not change from one report to the next.
    const fate = (Number(campaign.id) * 31 + index * 17 + line.salt) % 61;
    const outcome =
      !isOver || fate === 2 ? "accepted" : fate === 0 ? "bounced" : fate === 1 ? "complained" : "delivered";
    return { recipientId, outcome, at: last.at, code: outcome === "bounced" ? "550" : null };
  });
  const twice = line.faults.happens("report doubled and out of order", 0.1) ? rows.slice(0, 3) : [];
  const strangers: Reported[] = line.faults.happens("report with a stranger", 0.02)
    ? [{ recipientId: "nobody-sent-to", outcome: "delivered", at, code: null }]
    : [];
  return twice.length > 0 ? line.dice.shuffled([...rows, ...twice, ...strangers]) : [...rows, ...strangers];
}
