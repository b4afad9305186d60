import { createWorkspaceTime } from "../adapters/trusted-time";
import type { Views } from "../commands/views/open-views";
import { lookNow } from "../compose/look-now";
import { isTerminal } from "../domain/definition";
import type { OperationRow } from "../domain/records";
import type { TaskView } from "../domain/view";
import { describeResult } from "./scenarios-recovering";
import { ScenarioPlay } from "./scenarios-stage";
import { OPERATOR, scenarioViews } from "./scenarios-views";

const MAX_PASSES = 500;
const IN_DOUBT = ["unknown", "locked", "conflict"];

/** The call whose outcome somebody has to find out, if there is one. */
export const callInDoubt = (view: TaskView): OperationRow | undefined =>
  view.operations().find(({ state, recipientId }) => recipientId === null && IN_DOUBT.includes(state));

/** Whether something stands there that the edition does not get past by itself, or may not. */
export const isTroubled = (view: TaskView): boolean =>
  ["blocked", "compensating"].includes(view.task.state) || view.freezes().length > 0 || callInDoubt(view) !== undefined;

/** The stage of a drill that a person plays: it stands still as soon as somebody has to decide, and goes on when they have. */
export class LedStage extends ScenarioPlay {
  /** Works as somebody who finds everything right, until something goes wrong. @throws Error when nothing does */
  async workToTrouble(): Promise<void> {
    for (let turn = 0; turn < 5; turn += 1) {
      await this.workOn();
      const view = this.view();
      if (isTroubled(view)) return;
      if (view.task.state === "awaiting_content_approval") this.operator.approveContent();
      else if (view.task.state === "awaiting_send_approval") this.operator.approveSend();
      else break;
    }
    await this.missed("nothing went wrong in it");
  }

  /** Works until somebody has to decide, until nothing is due by itself, or to the end. */
  async workOn(): Promise<void> {
    const isOver = () => {
      const view = this.view();
      const isUndoing = view.task.state === "compensating" && view.freezes().length === 0;
      return (isTroubled(view) && !isUndoing) || isTerminal(view.task.state) || isAsked(view);
    };
    await this.workUntil(isOver);
  }

  /** Lets the program look by itself, as often as it has planned to, until it knows what became of the call. */
  async waitForLooks(): Promise<string> {
    await this.workUntil(() => callInDoubt(this.view())?.state !== "unknown");
    return "applied";
  }

  /** Asks the remote once by key, in the person's name. */
  async look(): Promise<string> {
    const view = this.view();
    const call = callInDoubt(view);
    if (call === undefined) return "not_found: operation_not_found";
    const { workspace } = this.engine;
    return describeResult(await lookNow(workspace, workspace.desk(OPERATOR), view.task.id, call.id));
  }

  /** The same views as the screens have. */
  views(): Views {
    const { workspace, clock } = this.engine;
    return scenarioViews(workspace, { clock, trusted: createWorkspaceTime(clock), sources: this.input.sources });
  }

  /** What the remotes' own screens show. @throws Error when they keep no records */
  async remotes() {
    const records = await this.input.control.records();
    if (records === null) throw new Error("the sandbox keeps no records");
    const { cms, mail } = records;
    return {
      posts: cms.objects.map(({ id, status, slug, contentHash }) => ({ id, status, slug, contentHash })),
      campaigns: mail.campaigns.map(({ id, status }) => ({ id, status })),
      mails: mail.mailings.length,
    };
  }

  private async workUntil(isOver: () => boolean): Promise<void> {
    for (let pass = 0; pass < MAX_PASSES; pass += 1) {
      const dueAt = await this.pass();
      if (dueAt === null || isOver()) return;
      await this.moveTo(dueAt);
    }
    throw new Error("the edition turned in circles");
  }
}

const isAsked = ({ task }: TaskView): boolean => task.state.startsWith("awaiting_") && task.state.endsWith("_approval");
