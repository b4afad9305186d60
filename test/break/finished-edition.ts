import { cpSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Command } from "../../main/domain/commands";
import { freezeText } from "../../main/pipeline/briefing/frozen";
import { BriefingWalk } from "../support/briefing-walk";
import { EDITOR, World } from "../support/world";

/**
 * A workspace after an edition in which much happened: an answer lost and looked for twice, an unsubscribing, a bounce worked off,
 * a second object found afterwards and its incident closed, a raised epoch. Written by the handler alone.
 * @returns a copy of its folder, nobody has it open
 */
export function finishedEdition(): string {
  const world = new World();
  world.must({ type: "suppress_recipient", recipientId: "R5", reason: "asked us to" }, EDITOR);
  const walk = new BriefingWalk(world).to("collecting");
  readSource(walk);
  walk.to("publishing");
  publishWithLostAnswer(walk);
  walk.to("send_pending");
  walk.account({ R1: "bounced", R2: "delivered", R3: "delivered", R4: "delivered" });
  workOff(walk);
  lookAtTwo(walk);
  closeDuplicate(walk);
  world.must({ type: "raise_epoch", reason: "a backup was put back" }, "system");
  world.must({ type: "settle_epoch" }, "system");
  world.database.sqlite.pragma("wal_checkpoint(TRUNCATE)");
  const dir = mkdtempSync(join(tmpdir(), "imprimatur-finished-"));
  cpSync(world.dir, dir, { recursive: true });
  return dir;
}

function readSource(walk: BriefingWalk): void {
  const frozen = freezeText(walk.world.blobs, "source-snapshot", "<rss/>", "application/rss+xml");
  const { hash, bytes } = frozen;
  walk.executor({
    ...{ type: "record_step", taskId: walk.taskId, step: "collecting", checkpoint: {}, calls: 1, artifacts: [frozen] },
    event: { type: "SourceFrozen", payload: { hash, bytes }, evidenceRefs: [hash] },
  });
}

function publishWithLostAnswer(walk: BriefingWalk): void {
  const { id } = walk.operation("publish");
  const url = walk.package().plannedUrl;
  walk.markSent(walk.operation("publish"));
  walk.answer(id, "unknown");
  walk.look(id, "absent_yet");
  walk.look(id, "confirmed", { ids: ["18427"], url });
  walk.prove();
  walk.executor({ type: "transition", taskId: walk.taskId, event: "Published" });
}

function workOff(walk: BriefingWalk): void {
  const [item] = walk.view().recoveryItems();
  if (!item) throw new Error("the bounce made no item");
  const move = (to: "triaged" | "recovering", minutes: number, from: "to_triage" | "triaged") =>
    walk.person({
      ...{ type: "move_recovery_item", taskId: walk.taskId, itemId: item.id, from, to },
      ...{ note: "called", minutes, owner: "editor:wang" },
    });
  move("triaged", 4, "to_triage");
  move("recovering", 3, "triaged");
}

const OBJECTS = ["18427", "18428"].map((remoteId) => ({
  ...{ state: "published", keyEqual: true, intentEqual: true, contentEqual: true, taskEqual: null },
  remoteId,
  url: `https://site.example/${remoteId}`,
}));

/** A look after the end finds two pages. */
export function lookAtTwo(walk: BriefingWalk): void {
  const { id: operationId } = walk.operation("publish");
  const look: Command = {
    ...{ type: "record_look", taskId: walk.taskId, operationId, query: "GET /cms/posts?key=…", able: true },
    ...{ verdict: "duplicate", objects: OBJECTS, chosen: null, rawCode: null, nextLookAt: null, pastHorizon: false },
  };
  walk.system(look);
}

/** A person accounts for both pages. */
export function closeDuplicate(walk: BriefingWalk): void {
  const [incident] = walk.view().freezes();
  const { context } = walk.view().task;
  walk.person({
    type: "close_incident",
    taskId: walk.taskId,
    incidentId: incident?.id ?? "",
    reason: "a gateway repeated it",
    evidence: {
      objects: OBJECTS.map(({ remoteId, url, state }, index) => ({
        ...{ remoteId, url, state },
        publicStatus: index === 0 ? 200 : 404,
      })),
      canonicalId: "18427",
      captureHash: context["captureHash"] as never,
      provedContentHash: context["contentHash"] as never,
      ...{
        schedulerReleased: "by the owner",
        drafterReleased: "by the owner",
        nextTaskKey: "weekly-briefing:2026-W31:zh-CN",
      },
    },
  });
}
