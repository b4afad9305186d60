import { openQueries } from "../../db/queries/open-queries";
import { newestRound } from "../../db/queries/reconciliation";
import type { Output } from "../../preload/contract";
import type { ApprovalSigner } from "../commands/sign-approval";
import { alertsView } from "../commands/views/alerts";
import { openViews as openScreenViews, type Views as ScreenViews } from "../commands/views/open-views";
import { reconciliationView } from "../commands/views/reconciliation";
import type { ViewPorts } from "../commands/views/view-ports";
import { briefingDefinition } from "../pipeline/briefing/definition";
import { comparePage } from "../pipeline/briefing/page-compare";
import { publishIntents } from "../pipeline/briefing/publish";
import { editorName } from "./editor-name";
import { LANGUAGE } from "./language";
import type { OpenSandbox } from "./open-sandbox";
import { briefingManifests, runWorkflows } from "./run-workflows";

/** What the screens ask for, on the read-only connection; clock and sandbox panel besides. */
export interface Views extends ScreenViews {
  alerts(): Output<"alerts.get">;
  clock(): Output<"sandbox.setClock">;
  reconciliation(): Output<"reconciliation.get">;
  panel(): Promise<Output<"sandbox.get">>;
}

export interface Checks {
  chainVerifiedAt: number | null;
  invariantViolations: number | null;
}

/** Wires the read models to an open sandbox workspace. */
export function openViews(
  sandbox: OpenSandbox,
  checks: ViewPorts["checks"],
  signer: ApprovalSigner,
  notifier: () => Output<"alerts.get">["notifier"],
): Views {
  const { workspace, clock, trusted, skip, control } = sandbox;
  const { ports } = workspace;
  const clockInfo = () => {
    const reading = trusted.read();
    return {
      now: clock.now(),
      zone: briefingDefinition.deadlines.zone,
      simulated: true,
      skipsWaiting: skip.enabled,
      source: reading.source,
      trusted: reading.trusted,
    };
  };
  const desk = workspace.desk(editorName());
  const viewPorts: ViewPorts = {
    queries: openQueries(workspace.reader, (hash) => workspace.journal.definitionOf(hash)),
    blobs: workspace.blobs,
    clock: clockInfo,
    trusted,
    actor: desk.actor,
    pipeline: {
      ...desk.pipeline,
      publishIntents: (view) => publishIntents(ports, view),
    },
    signer,
    sources: sandbox.sources,
    extract: (input) => ports.parser.extract(input),
    comparePage,
    manifestOf: briefingManifests(ports),
    workflows: runWorkflows(ports),
    site: new URL(ports.cms.target).host,
    start: { definition: briefingDefinition, language: LANGUAGE },
    checks,
  };
  return {
    ...openScreenViews(viewPorts),
    alerts: () => alertsView(viewPorts, notifier()),
    clock: clockInfo,
    reconciliation: () => reconciliationView(clockInfo(), workspace.reconciliation, newestRound(workspace.reader)),
    panel: async () => {
      const [records, faults, settings] = await Promise.all([control.records(), control.faults(), control.settings()]);
      if (records === null || faults === null || settings === null) return null;
      return {
        url: control.url,
        faults: faults.map(({ id, on, fault, times, fired }) => ({ id, on, fault, times, fired })),
        records: {
          cms: { createCalls: records.cms.createCalls, objects: records.cms.objects },
          mail: {
            createCalls: records.mail.createCalls,
            triggerCalls: records.mail.triggerCalls,
            campaigns: records.mail.campaigns,
            mailings: records.mail.mailings.length,
          },
        },
        staleProbes: settings.staleProbes,
        bounces: settings.bounces,
        clock: clockInfo(),
      };
    },
  };
}
