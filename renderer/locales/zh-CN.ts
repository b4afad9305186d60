import type { en } from "./en";
import type { Words } from "./shape";
import { alerts } from "./zh-CN/alerts";
import { audit } from "./zh-CN/audit";
import { compensation } from "./zh-CN/compensation";
import { content } from "./zh-CN/content";
import { domain } from "./zh-CN/domain";
import { draft } from "./zh-CN/draft";
import { drills } from "./zh-CN/drills";
import { events } from "./zh-CN/events";
import { health } from "./zh-CN/health";
import { incident } from "./zh-CN/incident";
import { ledger } from "./zh-CN/ledger";
import { newAction } from "./zh-CN/new-action";
import { recovery } from "./zh-CN/recovery";
import { run } from "./zh-CN/run";
import { sandbox } from "./zh-CN/sandbox";
import { send } from "./zh-CN/send";
import { settings } from "./zh-CN/settings";
import { problem, setup } from "./zh-CN/setup";
import { shell } from "./zh-CN/shell";
import { today } from "./zh-CN/today";
import { unmet } from "./zh-CN/unmet";

/** Every Chinese text, complete by its type. */
export const zhCN: Words<typeof en> = {
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
