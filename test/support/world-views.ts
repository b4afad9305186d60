import { openQueries } from "../../db/queries/open-queries";
import { cmsSandboxManifest } from "../../main/adapters/cms/sandbox";
import { mailSandboxManifest } from "../../main/adapters/mail/sandbox";
import { openViews, type Views } from "../../main/commands/views/open-views";
import type { ViewPorts } from "../../main/commands/views/view-ports";
import { runWorkflows } from "../../main/compose/run-workflows";
import { briefingDefinition } from "../../main/pipeline/briefing/definition";
import * as desk from "../../main/pipeline/briefing/desk";
import { BriefingDraftDesk } from "../../main/pipeline/briefing/draft-desk";
import { comparePage } from "../../main/pipeline/briefing/page-compare";
import { publishIntents } from "../../main/pipeline/briefing/publish";
import { briefingPorts } from "./briefing-ports";
import { parser, SAMPLE_SOURCES } from "./sample-sources";
import { EDITOR, type World } from "./world";

export interface WorldViews extends Views {
  ports: ViewPorts;
}

/** The screens' views on a world's journal, through a read-only connection of their own. */
export function worldViews(world: World, change: Partial<ViewPorts> = {}): WorldViews {
  const briefing = briefingPorts(world);
  const ports: ViewPorts = {
    queries: openQueries(world.openReader(), (hash) => world.journal.definitionOf(hash)),
    blobs: world.blobs,
    clock: () => ({
      now: world.now,
      zone: "Asia/Shanghai",
      simulated: true,
      skipsWaiting: false,
      source: "world",
      trusted: world.isTimeTrusted,
    }),
    trusted: { read: () => world.trusted() },
    actor: EDITOR,
    pipeline: {
      contentApproval: (view, seen) => desk.contentApproval(briefing, view, seen),
      sendApproval: (view, seen) => desk.sendApproval(briefing, view, seen),
      draft: new BriefingDraftDesk(briefing),
      unblocking: (view, way) => desk.unblocking(briefing, view, way),
      publishIntents: (view) => publishIntents(briefing, view),
    },
    sources: async () => SAMPLE_SOURCES.map((source) => source.config),
    extract: (input) => parser.extract(input),
    comparePage,
    manifestOf: (adapter) => (adapter === "mail-sandbox" ? mailSandboxManifest : cmsSandboxManifest),
    workflows: runWorkflows(briefing),
    site: "site.example",
    start: { definition: briefingDefinition, language: "zh-CN" },
    checks: () => ({
      ...{ chainVerifiedAt: null, invariantViolations: null },
      ...{ backupAt: null, backupFault: null, backupsOn: false },
    }),
    ...change,
  };
  return { ports, ...openViews(ports) };
}
