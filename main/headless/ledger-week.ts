import type { WeekPlan } from "../sandbox/ledger/week-plan";
import type { ScenarioPlay } from "./scenarios-stage";

const MINUTE_MS = 60_000;
/** Gates, a block that a person resolves, a compensation: an edition has fewer turns than this, or turns in circles. */
const MOST_TURNS = 10;

/**
 * Lives through one edition as its editor: reads before deciding, leaves out a fact that cannot be proved, takes back what is
 * to be taken back, and leaves every other block as it is.
 */
export async function liveThroughWeek(play: ScenarioPlay, plan: WeekPlan): Promise<void> {
  for (let turn = 0; turn < MOST_TURNS; turn += 1) {
    const state = await play.work();
    if (state === "awaiting_content_approval") {
      await play.wait(plan.contentMinutes * MINUTE_MS);
      mustApply(play.operator.approveContent());
    } else if (state === "awaiting_send_approval" && plan.takesBack) {
      return takeBack(play);
    } else if (state === "awaiting_send_approval") {
      await play.wait(plan.sendMinutes * MINUTE_MS);
      mustApply(play.operator.approveSend());
    } else if (state === "blocked" && play.view().task.blockedReason === "fact_evidence") {
      const { factCount } = play.view().task.context;
      mustApply(play.operator.editContent({ withoutFact: `F${factCount}` }));
    } else return;
  }
  throw new Error(`edition ${play.view().task.edition} turned in circles`);
}

/** The site is rolled back, nothing is mailed, and the edition begins anew; what is right by then waits for the next week. */
async function takeBack(play: ScenarioPlay): Promise<void> {
  mustApply(play.operator.startCompensation("a source has taken back what the edition quotes"));
  const state = await play.work();
  if (state !== "compensated") return;
  mustApply(play.startVersion());
  await play.work();
  mustApply(play.operator.closeProtectively("the corrected facts go out with the next edition"));
}

/** The script only asks for what a person may do; a refusal is a fault of the run and not a figure of the ledger. */
function mustApply(answer: string): void {
  if (answer !== "applied") throw new Error(`the editor was refused: ${answer}`);
}
