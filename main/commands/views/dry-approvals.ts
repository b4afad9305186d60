import type { CommandContext } from "../../domain/commands";
import { unmet } from "../../domain/unmet";
import type { TaskView } from "../../domain/view";
import type { Made } from "../made";
import { signingMissing } from "../sign-approval";
import { type DryAnswer, dryRun } from "./dry-run";
import { type FrozenAudience, type FrozenPackage, readFrozen } from "./frozen";
import type { ViewPorts } from "./view-ports";
import { openWarnings } from "./warning-views";

/** What has to be typed to send, exactly: the edition and how many people it goes to. */
export const confirmationOf = (edition: string, count: number): string => `${edition} ${count}`;

type Ports = Pick<ViewPorts, "pipeline" | "blobs">;

/** The approval as the editor would give it with everything ticked: what then still stands against it, the task lacks. */
export function dryContentApproval(ports: Ports, view: TaskView): Made {
  const { packageHash } = view.task.context;
  if (typeof packageHash !== "string") return { unmet: [unmet("package_missing")] };
  const pack = readFrozen<FrozenPackage>(ports.blobs, packageHash, "imprimatur-package/1");
  return ports.pipeline.contentApproval(view, {
    packageHash,
    contentHash: pack.contentHash,
    comparedWith: { choice: "nothing", hash: null },
    acknowledged: openWarnings(view.task, pack),
    readSections: [],
  });
}

/** The approval of the mailing with the confirmation typed and every recipient who may be new ticked. */
export function drySendApproval(ports: Ports, view: TaskView): Made {
  const { pageUrl, bodyHash, audienceHash, audienceArtifactHash } = view.task.context;
  if (typeof audienceArtifactHash !== "string") return { unmet: [unmet("audience_missing")] };
  const { recipients } = readFrozen<FrozenAudience>(ports.blobs, audienceArtifactHash, "imprimatur-audience/1");
  return ports.pipeline.sendApproval(view, {
    pageUrl: String(pageUrl),
    bodyHash: String(bodyHash),
    audienceHash: String(audienceHash),
    typed: confirmationOf(view.task.edition, recipients.length),
    acknowledgedAdditions: recipients.map((recipient) => recipient.id),
  });
}

/**
 * What would be said to an approval, had it been signed as it will be at the click: a screen signs nothing by being looked at.
 * Where the key cannot be had, that is what is said.
 */
export function dryRunSigned(
  ports: Pick<ViewPorts, "signer">,
  view: TaskView,
  made: Made,
  context: CommandContext,
): DryAnswer {
  const { unmet: found } = dryRun(view, made, context);
  const missing = [...found.filter(({ code }) => code !== "approval_unsigned"), ...signingMissing(ports.signer, view)];
  return { open: missing.length === 0, unmet: missing };
}
