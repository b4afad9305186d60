import type { Scenario, ScenarioGroup } from "./stage";
import { toTheEnd } from "./ways";

const oneBounce: Scenario = {
  id: "S41",
  group: 11,
  title: { "zh-CN": "63 接受、62 送达、1 退信", en: "63 accepted, 62 delivered, 1 bounced" },
  given: {
    "zh-CN": "邮件已交给服务商，63 位收件人等待结果。",
    en: "The mailing is with the provider, and 63 recipients are to be accounted for.",
  },
  fault: { "zh-CN": "一个地址退信。", en: "One address bounces." },
  expected: {
    "zh-CN": "63 位收件人每位都有交代：62 送达，1 退信；退信交给客户服务。",
    en: "All 63 recipients are accounted for: 62 delivered, 1 bounced; the bounce goes to customer care.",
  },
  config: { bounces: 1 },
  play: toTheEnd,
};

const pending: Scenario = {
  id: "S42",
  group: 11,
  title: { "zh-CN": "30 分钟后仍未定", en: "Pending after 30 minutes" },
  given: {
    "zh-CN": "邮件已交给服务商，63 位收件人等待结果。",
    en: "The mailing is with the provider, and 63 recipients are to be accounted for.",
  },
  fault: { "zh-CN": "两位收件人一直没有结果。", en: "Two recipients never get a result." },
  expected: {
    "zh-CN": "30 分钟后等人；两位收件人附证据关闭之后才算完成。",
    en: "After 30 minutes it waits for a person; only with both closed on evidence is the edition done.",
  },
  config: { pendingForever: 2 },
  play: async (stage) => {
    await stage.workTo("succeeded");
    await stage.show("after 30 minutes");
    stage.operator.closeRecipients("the provider accepted them and gives no more reports");
    await stage.workTo("succeeded");
  },
};

const complaint: Scenario = {
  id: "S43",
  group: 11,
  title: { "zh-CN": "一位收件人投诉", en: "A complaint" },
  given: {
    "zh-CN": "邮件已交给服务商，63 位收件人等待结果。",
    en: "The mailing is with the provider, and 63 recipients are to be accounted for.",
  },
  fault: { "zh-CN": "一位收件人投诉。", en: "One recipient complains." },
  expected: {
    "zh-CN": "投诉计入这位收件人，并交给客户服务；其他 62 位已送达。",
    en: "The complaint is put to that recipient's account and goes to customer care; the other 62 are delivered.",
  },
  config: { complaints: 1 },
  play: toTheEnd,
};

const mismatch: Scenario = {
  id: "S44",
  group: 11,
  title: { "zh-CN": "总数与名单不符", en: "Totals do not match the audience" },
  given: {
    "zh-CN": "邮件已交给服务商，63 位收件人等待结果。",
    en: "The mailing is with the provider, and 63 recipients are to be accounted for.",
  },
  fault: { "zh-CN": "报告里有一位没有发给的人。", en: "The report names somebody nobody sent to." },
  expected: {
    "zh-CN": "总数对不上就停下；服务商更正之后才算完成。",
    en: "Totals that do not match block the edition; it is done only once the provider has corrected them.",
  },
  faults: [{ on: "mail.report", fault: "wrong-body" }],
  play: async (stage) => {
    await stage.workTo("succeeded");
    await stage.show("totals differ");
    stage.operator.unblock("send_pending", "the provider corrected its report");
    await stage.workTo("succeeded");
  },
};

export const delivery: ScenarioGroup = {
  number: 11,
  title: { "zh-CN": "送达", en: "Delivery" },
  scenarios: [oneBounce, pending, complaint, mismatch],
};
