import { parseJson } from "./cms";
import { sandboxConfigSchema } from "./config";
import type { Context } from "./context";
import { type Answer, type Exchange, refuse } from "./exchange";
import { faultInputSchema } from "./faults";
import { showServices } from "./services";
import type { SandboxState } from "./state";
import { listMailings, newestVersion, reportRecipients, showCampaign, showPost } from "./views";

/** Answers everything below `/control`: for tests and for people who want the remote's own word. */
export function handleControl(context: Context, exchange: Exchange): Answer {
  const { store } = context;
  const route = `${exchange.method} ${exchange.rest.join("/")}`;
  switch (route) {
    case "GET records":
      return { status: 200, body: showRecords(context, exchange.at) };
    case "GET config":
      return { status: 200, body: store.state.config };
    case "PUT config":
      return changeConfig(context, exchange);
    case "GET faults":
      return { status: 200, body: { rules: store.state.faults } };
    case "POST faults":
      return addFault(context, exchange);
    case "DELETE faults":
      store.append({ type: "faults-cleared" });
      return { status: 200, body: { rules: [] } };
    case "GET withheld": {
      const requests = context.withheld.list();
      return { status: 200, body: { count: requests.length, requests } };
    }
    default:
      return refuse(404, "no_such_path");
  }
}

function changeConfig(context: Context, exchange: Exchange): Answer {
  const parsed = parseJson(exchange, sandboxConfigSchema.partial());
  if ("answer" in parsed) return parsed.answer;
  context.store.configure(parsed.input);
  return { status: 200, body: context.store.state.config };
}

function addFault(context: Context, exchange: Exchange): Answer {
  const parsed = parseJson(exchange, faultInputSchema);
  if ("answer" in parsed) return parsed.answer;
  const { store } = context;
  const rule = { ...parsed.input, id: store.nextNumber(), skipped: 0, fired: 0 };
  store.append({ type: "fault-added", rule });
  return { status: 201, body: rule };
}

/** Everything the remote knows, without pages, texts and addresses. Nothing lags here. */
function showRecords(context: Context, at: number): Record<string, unknown> {
  const { state, cutBytes } = context.store;
  const { calls } = state;
  return {
    protocol: 1,
    cutBytes,
    deferred: state.deferred.length,
    cms: {
      createCalls: calls["cms.create"],
      updateCalls: calls["cms.update"],
      statusCalls: calls["cms.status"],
      queries: calls["cms.query"],
      objects: state.posts.map((post) => {
        const version = newestVersion(post);
        return { ...showPost(post, version, context.base), requestHash: version.requestHash };
      }),
    },
    mail: {
      createCalls: calls["mail.create"],
      triggerCalls: calls["mail.trigger"],
      statusCalls: calls["mail.status"],
      queries: calls["mail.query"],
      reports: calls["mail.report"],
      campaigns: showCampaigns(state, context.store.horizon(at)),
      mailings: listMailings(state),
    },
    services: showServices(context.store),
    site: { reads: calls["site.read"] },
    links: { reads: calls["link.read"] },
    sources: { reads: state.sourceReads },
  };
}

function showCampaigns(state: SandboxState, until: number): Record<string, unknown>[] {
  return state.campaigns.map((campaign) => ({
    ...showCampaign(campaign, until, state.config.deliveryDelayMs),
    requestHash: campaign.requestHash,
    recipientIds: campaign.recipients.map((recipient) => recipient.id),
    // Two ids with one address would mean two mails to one person.
    distinctAddresses: new Set(campaign.recipients.map((recipient) => recipient.addressHash)).size,
    report: reportRecipients(state, campaign, until),
  }));
}
