import { baselines } from "./baselines";
import { contentApproval } from "./content-approval";
import { crashes } from "./crashes";
import { delivery } from "./delivery";
import { draftAndCheck } from "./draft-and-check";
import { leasesAndTimers } from "./leases-and-timers";
import { publicPage } from "./public-page";
import { publishErrors } from "./publish-errors";
import { recovery } from "./recovery";
import { sendApproval } from "./send-approval";
import { sources } from "./sources";
import type { Scenario, ScenarioGroup } from "./stage";
import { unknownPublish } from "./unknown-publish";
import { unknownSend } from "./unknown-send";

/** The frozen fault scenarios, group by group. */
export const scenarioGroups: readonly ScenarioGroup[] = [
  sources,
  draftAndCheck,
  contentApproval,
  unknownPublish,
  publishErrors,
  crashes,
  leasesAndTimers,
  publicPage,
  sendApproval,
  unknownSend,
  delivery,
  recovery,
];

export const allScenarios: readonly Scenario[] = scenarioGroups.flatMap((group) => group.scenarios);
export { baselines };
