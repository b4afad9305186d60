import { listSuppressions } from "../../db/queries/suppressions";
import { openScheduleFires } from "../../db/schedule-fires";
import type { Desk } from "../commands/desk";
import { releaseRecipient } from "../commands/release-recipient";
import { suppressRecipient } from "../commands/suppress-recipient";
import { settingsView } from "../commands/views/settings";
import { nextOccurrences } from "../engine/scheduler";
import { briefingDefinition } from "../pipeline/briefing/definition";
import { AudienceDesk, type ChooseTable } from "./audience-desk";
import type { Handlers } from "./channel-handlers";
import type { OpenSandbox } from "./open-sandbox";
import { replyOf } from "./reply";
import { schedulesFrom } from "./schedules";
import type { Views } from "./views";

type SettingsChannel = Extract<keyof Handlers, `${"settings" | "audience"}.${string}`>;

/** The settings of a workspace: what they are, the import of its audience, and its suppression list. */
export function settingsHandlers(
  { workspace, loop, scheduler }: Pick<OpenSandbox, "workspace" | "loop" | "scheduler">,
  views: Views,
  desk: Desk,
  chooseTable: ChooseTable,
): Pick<Handlers, SettingsChannel> {
  const { customers, database, reader } = workspace;
  const fires = () => openScheduleFires(reader);
  const audience = new AudienceDesk({ customers, chooseTable });
  return {
    "settings.get": () =>
      settingsView({
        clock: () => views.clock(),
        customers,
        suppressions: () => listSuppressions(reader),
        schedules: Object.values(schedulesFrom(0)),
        nextOccurrences,
        fires: fires(),
        definition: briefingDefinition,
      }),
    "settings.resumeSchedule": ({ name }) => {
      // Pressed twice, or in two windows' time: the clock counts from the first answer on.
      if (fires().paused(name) === null) return { result: "not_paused" };
      scheduler.resume(name);
      loop.nudge();
      return { result: "resumed" };
    },
    "audience.choose": () => audience.choose(),
    "audience.preview": (asked) => audience.preview(asked),
    "audience.import": (asked) => {
      const answer = audience.import(asked);
      // An edition whose mailing is being looked at has another audience now, and has to say so.
      if (answer.result === "imported") loop.nudge();
      return answer;
    },
    "audience.suppress": (input) => replyOf(suppressRecipient(desk, input), database.path),
    "audience.release": (input) => replyOf(releaseRecipient(desk, input), database.path),
  };
}
