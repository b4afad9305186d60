import { openQueries } from "../../db/queries/open-queries";
import { openViews, type Views } from "../commands/views/open-views";
import { briefingManifests, runWorkflows } from "../compose/run-workflows";
import type { Workspace } from "../compose/workspace";
import type { Clock, SourceConfig, TrustedTime } from "../domain/ports";
import { briefingDefinition } from "../pipeline/briefing/definition";
import { comparePage } from "../pipeline/briefing/page-compare";
import { publishIntents } from "../pipeline/briefing/publish";

/** The language scenarios are played in. */
export const SCENARIO_LANGUAGE = "zh-CN";
/** The name under which the script stands for a person in every event it causes. */
export const OPERATOR = "operator-script" as const;

/** The same views as the screens have, on the workspace's read-only connection. */
export function scenarioViews(
  workspace: Workspace,
  from: { clock: Clock; trusted: TrustedTime; sources: readonly SourceConfig[] },
): Views {
  const { ports } = workspace;
  const desk = workspace.desk(OPERATOR);
  return openViews({
    queries: openQueries(workspace.reader, (hash) => workspace.journal.definitionOf(hash)),
    blobs: workspace.blobs,
    clock: () => ({
      now: from.clock.now(),
      zone: briefingDefinition.deadlines.zone,
      simulated: true,
      skipsWaiting: true,
      source: "workspace",
      trusted: true,
    }),
    trusted: from.trusted,
    actor: OPERATOR,
    pipeline: {
      ...desk.pipeline,
      publishIntents: (view) => publishIntents(ports, view),
    },
    sources: async () => from.sources,
    extract: (input) => ports.parser.extract(input),
    comparePage,
    manifestOf: briefingManifests(ports),
    workflows: runWorkflows(ports),
    site: "remote",
    start: { definition: briefingDefinition, language: SCENARIO_LANGUAGE },
    checks: () => ({
      chainVerifiedAt: null,
      invariantViolations: null,
      backupAt: null,
      backupFault: null,
      backupsOn: false,
    }),
  });
}
