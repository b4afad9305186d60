import type { NewArtifact } from "../../domain/commands";
import { isTerminal } from "../../domain/definition";
import type { Difference } from "../../domain/difference";
import { sha256 } from "../../domain/hashing";
import { slotOf } from "../../domain/keys";
import type { PageRead } from "../../domain/ports";
import { compareOutcomes } from "../../domain/reconciliation";
import { type Standing, standingOf } from "../../domain/standing";
import type { TaskView } from "../../domain/view";
import type { OutsideQuestion, OutsideQuestions, OutsideReading } from "../../engine/outside-reading";
import { freezeBytes, thawJson, thawText } from "./frozen";
import { comparePage, pageTextHashInput } from "./page-compare";
import type { BriefingPorts } from "./ports";
import type { ContentPackage } from "./records";

/** What a T+1 reconciliation asks besides the objects: the page as readers get it, and the provider's report. */
export function briefingOutside(ports: BriefingPorts): OutsideQuestions {
  return (view) => [...pageQuestions(ports, view), ...reportQuestions(ports, view)];
}

function pageQuestions(ports: BriefingPorts, view: TaskView): OutsideQuestion[] {
  const standing = standingOf(view.slotOperations(slotOf("publish", view.task.taskKey)));
  // What a later version has done to the page is that version's to answer for.
  if (standing === null || standing.last.taskId !== view.task.id) return [];
  const { create: operation } = standing;
  return [{ operation, target: operation.target, read: () => readPage(ports, view, standing) }];
}

async function readPage(ports: BriefingPorts, view: TaskView, standing: Standing): Promise<OutsideReading> {
  const { create, holder, contentHash, isUp } = standing;
  const { requests } = ports.cms;
  const pageUrl = create.remoteUrl ?? requests.plannedUrl(requests.slugOf(create.slot));
  const packageHash = contentHash === null ? null : ports.approvedPackage(view.task.taskKey, contentHash);
  const read = await readWithin(ports, view, pageUrl);
  if (read.kind === "failed") return { kind: "failed", code: read.error.code };
  const { httpStatus } = read;
  const isGone = httpStatus === 404 || httpStatus === 410;
  // An error page says nothing about the page.
  if (!isGone && httpStatus !== 200) return { kind: "failed", code: `http_${httpStatus}` };
  const differ = (expected: string, found: string): Difference => ({
    ...{ kind: "live_page", operationId: holder.id, place: pageUrl, expected, found },
  });
  if (!isUp) return readAs(isGone ? [] : [differ("not public", "public")]);
  if (isGone) return readAs([differ("public", "not public")]);
  if (packageHash === null) return readAs([]);
  const expectedHtml = thawText(ports.blobs, thawJson<ContentPackage>(ports.blobs, packageHash).pageHash);
  const input = { expectedHtml, publicBytes: read.bytes, contentType: read.mediaType, pageUrl: read.finalUrl };
  const { matches, observedTextHashInput } = comparePage(input);
  if (matches) return readAs([]);
  const expected = sha256(pageTextHashInput(expectedHtml, read.finalUrl));
  const capture = freezeBytes(ports.blobs, "page-capture", read.bytes, read.mediaType);
  return readAs([differ(expected, sha256(observedTextHashInput))], [capture]);
}

async function readWithin(ports: BriefingPorts, view: TaskView, pageUrl: string): Promise<PageRead> {
  const timeout = ports.clock.timeout(view.definition.policies["probe"]?.callTimeoutMs ?? 20_000);
  try {
    return await ports.probe.read(pageUrl, { signal: timeout.signal, now: ports.clock.now() });
  } finally {
    timeout.cancel();
  }
}

function reportQuestions(ports: BriefingPorts, view: TaskView): OutsideQuestion[] {
  const confirmed = view.operations().filter((row) => row.kind === "send" && row.state === "confirmed");
  const campaign = confirmed.find((row) => row.phase === "create");
  const isStarted = confirmed.some((row) => row.phase === "trigger");
  if (campaign === undefined || campaign.remoteId === null || !isStarted) return [];
  const { target, remoteId } = campaign;
  const read = async (): Promise<OutsideReading> => {
    const timeout = ports.clock.timeout(ports.mail.adapter.manifest.callTimeoutMs);
    try {
      const call = { signal: timeout.signal, now: ports.clock.now() };
      const report = await ports.mail.adapter.report({ target, remoteId }, call);
      if (report.kind === "failed") return { kind: "failed", code: report.error.code };
      const isEnded = isTerminal(view.task.state);
      return readAs(compareOutcomes(campaign, view.recipients(), report.recipients, isEnded));
    } finally {
      timeout.cancel();
    }
  };
  return [{ operation: campaign, target, read }];
}

const readAs = (differences: readonly Difference[], artifacts: readonly NewArtifact[] = []): OutsideReading => ({
  ...{ kind: "read", differences, artifacts, evidenceRefs: artifacts.map(({ hash }) => hash) },
});
