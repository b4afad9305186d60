import type { Scenario, ScenarioGroup } from "./stage";
import { toTheEnd } from "./ways";

const answerLost: Scenario = {
  id: "S13",
  group: 4,
  title: { "zh-CN": "发布应答丢失，对账找到 18427", en: "Answer lost, found by asking (18427)" },
  given: {
    "zh-CN": "2026-W30 内容已批准，发布请求发出。",
    en: "The content of 2026-W30 is approved and the publishing request leaves.",
  },
  fault: {
    "zh-CN": "网站发布了文章，但 30 秒内没有回答。",
    en: "The website publishes the article and does not answer within 30 seconds.",
  },
  expected: {
    "zh-CN": "结果记为未知；按键查询找到 18427；只有一次创建调用，只有一篇文章。",
    en: "The outcome is unknown; a query by key finds 18427. One create call, one article.",
  },
  faults: [{ on: "cms.create", fault: "hang-after-commit" }],
  play: toTheEnd,
};

const neverArrived: Scenario = {
  id: "S14",
  group: 4,
  title: { "zh-CN": "发布请求没有到达", en: "The request never arrived" },
  given: {
    "zh-CN": "2026-W30 内容已批准，发布请求发出。",
    en: "The content of 2026-W30 is approved and the publishing request leaves.",
  },
  fault: {
    "zh-CN": "连接在网站处理之前断开，网站什么也没有做。",
    en: "The line is cut before the website does anything.",
  },
  expected: {
    "zh-CN": "多次查询、等过期限，证明文章不在之后才再发一次；只有一篇文章。",
    en: "Only after queries past the horizon have shown that it is absent is it sent a second time. One article.",
  },
  faults: [{ on: "cms.create", fault: "drop-before-commit" }],
  play: toTheEnd,
};

const seenLate: Scenario = {
  id: "S15",
  group: 4,
  title: { "zh-CN": "第一次查询看不到文章", en: "Not visible at the first look" },
  given: {
    "zh-CN": "2026-W30 内容已批准，发布请求发出。",
    en: "The content of 2026-W30 is approved and the publishing request leaves.",
  },
  fault: {
    "zh-CN": "应答丢失，而且查询落后写入 5 秒。",
    en: "The answer is lost, and queries lag five seconds behind the writes.",
  },
  expected: {
    "zh-CN": "前两次看不到不算没有；第三次找到；只有一次创建调用。",
    en: "Not visible twice does not count as absent; the third look finds it. One create call.",
  },
  config: { visibilityDelayMs: 5_000 },
  faults: [{ on: "cms.create", fault: "drop-after-commit" }],
  play: toTheEnd,
};

const twoObjects: Scenario = {
  id: "S16",
  group: 4,
  title: { "zh-CN": "同一个键有两个对象", en: "Two objects with one key" },
  given: {
    "zh-CN": "2026-W30 内容已批准，发布请求发出。",
    en: "The content of 2026-W30 is approved and the publishing request leaves.",
  },
  fault: { "zh-CN": "网关把请求重复了一次，然后回答 504。", en: "A gateway repeats the request and then answers 504." },
  expected: {
    "zh-CN": "冻结对该网站的写入，开一起事故，等人裁定；邮件不发。",
    en: "Writes to the website are frozen, an incident is opened and a person decides; no mail is sent.",
  },
  faults: [{ on: "cms.create", fault: "duplicate", params: { status: 504 } }],
  play: toTheEnd,
};

export const unknownPublish: ScenarioGroup = {
  number: 4,
  title: { "zh-CN": "发布结果未知", en: "Unknown publish" },
  scenarios: [answerLost, neverArrived, seenLate, twoObjects],
};
