import { HOUR_MS, type Scenario, type ScenarioGroup } from "./stage";
import { toTheEnd } from "./ways";

const createLost: Scenario = {
  id: "S37",
  group: 10,
  title: { "zh-CN": "创建活动的应答丢失，找到 930", en: "Create answer lost, found (930)" },
  given: { "zh-CN": "发送已批准，请求发出。", en: "The mailing is approved and its request leaves." },
  fault: { "zh-CN": "活动已建立，应答丢失。", en: "The campaign is made, and the answer is lost." },
  expected: {
    "zh-CN": "结果未知；查询找到活动 930；只有一个活动，63 封邮件。",
    en: "The outcome is unknown; a query finds campaign 930. One campaign, 63 mails.",
  },
  faults: [{ on: "mail.create", fault: "hang-after-commit" }],
  play: toTheEnd,
};

const triggerLost: Scenario = {
  id: "S38",
  group: 10,
  title: { "zh-CN": "启动发送的应答丢失", en: "Trigger answer lost" },
  given: { "zh-CN": "发送已批准，请求发出。", en: "The mailing is approved and its request leaves." },
  fault: { "zh-CN": "邮件已发，启动的应答丢失。", en: "The mails go out, and the answer to the start is lost." },
  expected: {
    "zh-CN": "结果未知；查询得知已经启动；不会再启动一次，63 封邮件。",
    en: "The outcome is unknown; a query shows that it was started. It is not started again: 63 mails.",
  },
  faults: [{ on: "mail.trigger", fault: "hang-after-commit" }],
  play: toTheEnd,
};

const queryRefused: Scenario = {
  id: "S39",
  group: 10,
  title: { "zh-CN": "已接受之后，查询得到 429", en: "429 on the query after acceptance" },
  given: { "zh-CN": "发送已批准，请求发出。", en: "The mailing is approved and its request leaves." },
  fault: { "zh-CN": "应答丢失，第一次查询得到 429。", en: "The answer is lost, and the first query is answered 429." },
  expected: {
    "zh-CN": "429 只说明查询没有成功；按提示稍后再查，找到活动；只有一个活动。",
    en: "The 429 says nothing about the campaign; it asks again after the hint and finds it. One campaign.",
  },
  faults: [
    { on: "mail.create", fault: "drop-after-commit" },
    { on: "mail.query", fault: "status", params: { status: 429, retryAfterSeconds: 20 } },
  ],
  play: toTheEnd,
};

const keyForgotten: Scenario = {
  id: "S40",
  group: 10,
  title: { "zh-CN": "服务商已不记得这个键", en: "Key retention over" },
  given: {
    "zh-CN": "服务商记键 24 小时；请求发出后没有应答。",
    en: "The provider keeps keys for 24 hours; a request left and nobody answered.",
  },
  fault: {
    "zh-CN": "请求没有到达，24 小时零一秒之后才能再问。",
    en: "It never arrived, and only 24 hours and a second later can anybody ask.",
  },
  expected: {
    "zh-CN": "键已被忘记，“没有找到”不再是证据；操作锁定，等人裁定，不重发。",
    en: "With the key forgotten “not found” proves nothing; the operation is locked for a person and nothing is sent again.",
  },
  replaced: { mailKeyRetentionMs: 24 * HOUR_MS },
  faults: [{ on: "mail.create", fault: "hang-before-commit" }],
  play: async (stage) => {
    await stage.workTo("sending");
    await stage.workUntilWithheld();
    await stage.sleep(24 * HOUR_MS + 1_000);
    await stage.work();
  },
};

export const unknownSend: ScenarioGroup = {
  number: 10,
  title: { "zh-CN": "发送结果未知", en: "Unknown send" },
  scenarios: [createLost, triggerLost, queryRefused, keyForgotten],
};
