import { isTerminal } from "../domain/definition";
import type { DrillChoice, DrillWay } from "../domain/drill-led";
import { newWords } from "../sandbox/scenarios/recovery";
import { HOUR_MS } from "../sandbox/scenarios/stage";
import { callInDoubt, isTroubled, type LedStage } from "./drill-led-stage";

type Choice = DrillChoice<DrillWay>;

const way = (name: DrillWay, about: string | null = null): Choice => ({ name, about });

/** What the edition allows a person to do at this moment, as its own screens judge it, in a fixed order. */
export async function waysAt(stage: LedStage): Promise<Choice[]> {
  const ways = [...callWays(stage), ...(await remoteWays(stage)), ...(await editionWays(stage)), ...undoWays(stage)];
  return isTroubled(stage.view()) && ways.length > 0 ? ways : [...ways, way("finish")];
}

/** At a call without an outcome: to look, or to wait for the planned looks; whoever cannot wait may take the approval back. */
function callWays(stage: LedStage): Choice[] {
  const view = stage.view();
  const call = callInDoubt(view);
  if (call?.state !== "unknown") return [];
  const scope = call.kind === "publish" ? "publish" : "send";
  const isApproved = view.approvals().some((approval) => approval.scope === scope && approval.revokedAt === null);
  return [way("look"), way("wait"), ...(isApproved ? [way("revoke", scope)] : [])];
}

/** At what lies on the remote: a verdict about a call that no query settles, and the two objects of a duplicate. */
async function remoteWays(stage: LedStage): Promise<Choice[]> {
  const view = stage.view();
  const call = callInDoubt(view);
  const isAsked = call?.state === "locked" || call?.state === "conflict";
  const isDuplicate = view.freezes()[0]?.rule === "duplicate_remote";
  if (!isAsked && !isDuplicate) return [];
  const { posts, campaigns } = await stage.remotes();
  const objects = call?.kind === "send" ? campaigns : posts;
  const isPublic = posts.filter(({ status }) => status === "published").length > 1;
  return [
    ...(isAsked ? objects.map(({ id }) => way("verdict_happened", id)) : []),
    ...(isAsked ? [way("verdict_did_not_happen"), way("verdict_cannot_tell")] : []),
    ...(isDuplicate && isPublic ? posts.map(({ id }) => way("take_down", id)) : []),
    ...(isDuplicate ? posts.map(({ id }) => way("close_incident", id)) : []),
  ];
}

/** What the run offers: out of a block, on to the mailing, to an end, or to a new version of what has ended. */
async function editionWays(stage: LedStage): Promise<Choice[]> {
  const { task } = stage.view();
  const run = await stage.views().run({ taskId: task.id });
  const out = run?.blocked?.waysOut.filter(({ to, open }) => open && to !== "closed_protectively") ?? [];
  const mayClose = run?.ways.some(({ event, open }) => open && event === "ClosedProtectively") ?? false;
  return [
    ...out.filter(({ to }) => !isTerminal(to)).map(({ to }) => way("unblock", to)),
    ...(task.state === "awaiting_send_approval" ? [way("approve_send")] : []),
    ...(mayClose ? [way("close_protectively")] : []),
    ...(isTerminal(task.state) ? [way("start_version")] : []),
  ];
}

function undoWays(stage: LedStage): Choice[] {
  const undo = stage.views().compensation({ taskId: stage.view().task.id });
  if (undo === null) return [];
  const { phase, start, entries } = undo;
  if (phase !== "running") return start.open ? [way("start_compensation")] : [];
  return entries.flatMap(({ action, resume, close }) => [
    ...(resume.open ? [way("resume_undo", action)] : []),
    ...(close.open ? [way("close_undo", action)] : []),
  ]);
}

const REASON = "decided in a drill";

/** Does what was chosen, with the hands that the script has, and goes on. @returns how the edition answered */
export async function takeWay(stage: LedStage, choice: Choice): Promise<string> {
  const answer = await carryOut(stage, choice);
  await stage.workOn();
  return answer;
}

async function carryOut(stage: LedStage, { name, about }: Choice): Promise<string> {
  const { operator } = stage;
  const named = about ?? "";
  const call = callInDoubt(stage.view());
  const phase = call === undefined ? "publish.create" : `${call.kind}.${call.phase}`;
  switch (name) {
    case "look":
      return stage.look();
    case "wait":
      return stage.waitForLooks();
    case "revoke":
      return operator.revoke(named === "send" ? "send" : "publish", REASON);
    case "verdict_happened":
      return operator.verdict(phase, "happened", named);
    case "verdict_did_not_happen":
      return operator.verdict(phase, "did_not_happen");
    case "verdict_cannot_tell":
      return operator.verdict(phase, "cannot_tell");
    case "take_down":
      await stage.atTheWebsite({ takeDown: named });
      await stage.wait(5_000);
      return "applied";
    case "close_incident":
      return operator.closeIncident(named, true);
    case "unblock":
      return operator.unblock(named, REASON, await newDeadlineFor(stage, named));
    case "close_protectively":
      return operator.closeProtectively(REASON);
    case "approve_send":
      return operator.approveSend();
    case "start_compensation":
      return operator.startCompensation(REASON);
    case "resume_undo":
      return operator.resumeUndo(named, REASON);
    case "close_undo":
      return operator.closeUndo(named, REASON);
    case "start_version":
      await newWords(stage, "v32");
      return "applied";
    case "finish":
      return "applied";
  }
}

/** A way out that needs a new deadline gets one far enough for everything that is left (ms from now). */
async function newDeadlineFor(stage: LedStage, to: string): Promise<number | undefined> {
  const run = await stage.views().run({ taskId: stage.view().task.id });
  const isNeeded = run?.blocked?.waysOut.some((out) => out.to === to && out.needsDeadline) ?? false;
  return isNeeded ? 4 * HOUR_MS : undefined;
}
