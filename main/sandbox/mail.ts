import { isAuthorized, staleAnswer, write } from "./cms";
import { cancelSchema, createCampaignSchema, triggerSchema } from "./commands";
import type { Context } from "./context";
import { type Answer, type Exchange, refuse, sendAnswer } from "./exchange";
import { performRead, withOtherHashes } from "./perform-read";
import { performWrite } from "./perform-write";
import type { Campaign } from "./state";
import { reportRecipients, showCampaign, sumReport } from "./views";

/** Answers everything below `/mail`. */
export async function handleMail(context: Context, exchange: Exchange): Promise<void> {
  const { method, rest } = exchange;
  const [collection, idText, part, tooDeep] = rest;
  if (collection !== "campaigns" || tooDeep !== undefined) return sendAnswer(exchange, refuse(404, "no_such_path"));
  const id = Number(idText);
  switch (`${method} ${part ?? (idText === undefined ? "list" : "one")}`) {
    case "POST list":
      return write(context, exchange, "mail.create", createCampaignSchema, (input, requestHash) =>
        performWrite(context, exchange, { on: "mail.create", input, requestHash }),
      );
    case "POST trigger":
      return write(context, exchange, "mail.trigger", triggerSchema, (input, requestHash) =>
        performWrite(context, exchange, { on: "mail.trigger", id, input, requestHash }),
      );
    case "POST status":
      return write(context, exchange, "mail.status", cancelSchema, (input, requestHash) =>
        performWrite(context, exchange, { on: "mail.status", id, input, requestHash }),
      );
    case "GET list":
      return query(context, exchange, "mail.query", () => findCampaigns(context, exchange));
    case "GET one":
      return query(context, exchange, "mail.query", () => readCampaign(context, exchange, id));
    case "GET report":
      return query(context, exchange, "mail.report", () => readReport(context, exchange, id));
    default:
      return sendAnswer(exchange, refuse(405, "method_not_allowed"));
  }
}

async function query(context: Context, exchange: Exchange, on: "mail.query" | "mail.report", read: () => Answer) {
  context.store.append({ type: "call", counter: on, at: exchange.at });
  if (!isAuthorized(context, exchange)) return sendAnswer(exchange, refuse(401, "unauthorized"));
  return performRead(context, exchange, { on }, read, {
    stale: () => staleAnswer(exchange),
    "wrong-body": on === "mail.query" ? withOtherHashes : withStranger,
  });
}

/** Objects and triggers are seen late, as from a read replica. */
function lagging(context: Context, exchange: Exchange): number {
  return context.store.horizon(exchange.at) - context.store.state.config.visibilityDelayMs;
}

function findCampaigns(context: Context, exchange: Exchange): Answer {
  const key = exchange.url.searchParams.get("key");
  if (key === null) return refuse(400, "key_missing");
  const until = lagging(context, exchange);
  const { campaigns, config } = context.store.state;
  const objects = campaigns
    .filter((campaign) => campaign.key === key && campaign.createdAt <= until)
    .map((campaign) => showCampaign(campaign, until, config.deliveryDelayMs));
  return { status: 200, body: { objects, complete: true } };
}

function findCampaign(context: Context, id: number, until: number): Campaign | null {
  const campaign = context.store.state.campaigns.find((candidate) => candidate.id === id);
  return campaign !== undefined && campaign.createdAt <= until ? campaign : null;
}

function readCampaign(context: Context, exchange: Exchange, id: number): Answer {
  const until = lagging(context, exchange);
  const campaign = findCampaign(context, id, until);
  if (campaign === null) return refuse(404, "not_found");
  const shown = showCampaign(campaign, until, context.store.state.config.deliveryDelayMs);
  return { status: 200, body: { ...shown, text: campaign.text, html: campaign.html } };
}

/** The report has its own lag, the delivery; the replica's comes on top only for objects. */
function readReport(context: Context, exchange: Exchange, id: number): Answer {
  const until = context.store.horizon(exchange.at);
  const campaign = findCampaign(context, id, until);
  if (campaign === null) return refuse(404, "not_found");
  const recipients = reportRecipients(context.store.state, campaign, until);
  return { status: 200, body: { campaignId: campaign.id, totals: sumReport(recipients), recipients } };
}

/** A report that does not match the audience: the last recipient is somebody nobody sent to. */
function withStranger(answer: Answer): Answer {
  const body = answer.body as { recipients?: { id: string }[] };
  const recipients = (body.recipients ?? []).map((recipient, index, all) =>
    index === all.length - 1 ? { ...recipient, id: "recipient-nobody-sent-to" } : recipient,
  );
  return { ...answer, body: { ...body, recipients } };
}
