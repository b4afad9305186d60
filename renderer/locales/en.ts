import { alerts } from "./en/alerts";
import { audit } from "./en/audit";
import { compensation } from "./en/compensation";
import { content } from "./en/content";
import { domain } from "./en/domain";
import { draft } from "./en/draft";
import { drills } from "./en/drills";
import { events } from "./en/events";
import { health } from "./en/health";
import { incident } from "./en/incident";
import { ledger } from "./en/ledger";
import { newAction } from "./en/new-action";
import { recovery } from "./en/recovery";
import { run } from "./en/run";
import { sandbox } from "./en/sandbox";
import { send } from "./en/send";
import { settings } from "./en/settings";
import { problem, setup } from "./en/setup";
import { shell } from "./en/shell";
import { today } from "./en/today";
import { unmet } from "./en/unmet";

/** Every English text. The other languages are typed by it, so that a missing key does not compile. */
export const en = {
  ...domain,
  ...shell,
  event: events,
  unmet,
  today,
  compensation,
  content,
  send,
  recovery,
  incident,
  alerts,
  health,
  ledger,
  newAction,
  run,
  setup,
  problem,
  settings,
  sandbox,
  draft,
  drills,
  audit,
};
