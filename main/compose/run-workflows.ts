import type { RunWorkflow } from "../commands/views/view-ports";
import type { AdapterManifest } from "../domain/ports";
import { chainWrites } from "../pipeline/action-chain/intents";
import { briefingDefinition } from "../pipeline/briefing/definition";
import type { BriefingPorts } from "../pipeline/briefing/ports";
import { briefingWrites } from "../pipeline/briefing/writes";
import { membershipChain } from "../pipeline/membership-cancellation/chain";
import { membershipDefinition } from "../pipeline/membership-cancellation/definition";
import { asWritten, manifestNamed } from "./own-workflows";

/** How the adapters that a briefing is published and mailed through answer the five questions. */
export const briefingManifests =
  ({ cms, mail }: Pick<BriefingPorts, "cms" | "mail">) =>
  (adapter: string): AdapterManifest =>
    (adapter === cms.name ? cms : mail).adapter.manifest;

/** The workflows that a workspace runs, the briefing first. */
export const runWorkflows = (ports: Pick<BriefingPorts, "cms" | "mail">): RunWorkflow[] => [
  {
    definition: asWritten(briefingDefinition),
    writes: briefingWrites(ports),
    manifestOf: briefingManifests(ports),
  },
  {
    definition: asWritten(membershipDefinition),
    writes: chainWrites(membershipChain),
    manifestOf: (name) => {
      const manifest = manifestNamed(name);
      if (manifest === null) throw new Error(`no adapter is named ${name}`);
      return manifest;
    },
  },
];
