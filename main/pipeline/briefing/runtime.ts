import { idempotencyCoverage } from "../../domain/metrics-coverage";
import type { TransitionIntent } from "../../domain/next-action";
import type { Refusal } from "../../domain/plan";
import type { OperationRow } from "../../domain/records";
import type { PipelineRuntime } from "../../engine/runtime";
import { checkWork } from "./check";
import { collectWork } from "./collect";
import { briefingUndo } from "./compensate";
import { draftWork } from "./draft";
import { briefingNext } from "./next";
import { observeWork } from "./observe";
import { briefingOutside } from "./outside";
import type { BriefingPorts } from "./ports";
import { createKeyOf, preparePublish, startPublishWork } from "./publish";
import { recheckSourcesWork } from "./recheck-sources";
import { openSendReviewWork, prepareSend, refreshAudienceWork } from "./send";
import { probeWork } from "./verify-page";
import { briefingWrites } from "./writes";

/** The weekly briefing as the engine runs it. */
export function briefingRuntime(ports: BriefingPorts): PipelineRuntime {
  const manifestOf = (adapter: string) =>
    adapter === ports.cms.name ? ports.cms.adapter.manifest : ports.mail.adapter.manifest;
  const coverage = idempotencyCoverage(briefingWrites(ports), manifestOf);
  return {
    next: briefingNext(manifestOf, () => ports.customers.importVersion(), coverage),
    works: {
      collecting: collectWork(ports),
      drafting: draftWork(ports),
      checking: checkWork(ports),
      "recheck-sources": recheckSourcesWork(ports),
      "start-publish": startPublishWork(ports),
      probe: probeWork(ports),
      "open-send-review": openSendReviewWork(ports),
      "refresh-audience": refreshAudienceWork(ports),
      observe: observeWork(ports),
    },
    prepareRequest: (view, operation) =>
      operation.kind === "publish" ? preparePublish(ports, view, operation) : prepareSend(ports, view, operation),
    onRefused: (_view, operation, refusal) => blockFor(operation, refusal),
    createKeyOf,
    undo: briefingUndo(ports),
    outside: briefingOutside(ports),
  };
}

/** Which block fits what the last guard before a call found. Deadlines and expiry are swept, so they need none here. */
function blockFor(operation: OperationRow, refusal: Refusal): TransitionIntent | null {
  const event = operation.kind === "publish" ? "PublishBlocked" : "SendBlocked";
  const codes = new Set(refusal.unmet.map((missing) => missing.code));
  const payload = { unmet: refusal.unmet.map((missing) => ({ code: missing.code, values: missing.values })) };
  const block = (blockedReason: string): TransitionIntent => ({ event, blockedReason, payload });
  if (codes.has("audience_hash_differs")) return block("audience_changed");
  if (codes.has("page_url_differs") || codes.has("page_not_verified")) return block("page_mismatch");
  // Any other incident lets the edition stand where it is: it goes on from there as soon as the incident is closed.
  if (refusal.unmet.some(({ values }) => values["rule"] === "duplicate_remote")) return block("duplicate_remote");
  if (codes.has("writes_frozen")) return null;
  if (codes.has("slot_has_object")) return block("remote_conflict");
  if (
    codes.has("approval_revoked") ||
    codes.has("approval_outdated") ||
    codes.has("content_hash_differs") ||
    codes.has("body_hash_differs")
  )
    return block("approval_revoked");
  return null;
}
