import type { Scenario, ScenarioGroup } from "./stage";

const afterPrepared: Scenario = {
  id: "S21",
  group: 6,
  title: { "zh-CN": "准备好之后崩溃", en: "Crash after prepared" },
  given: {
    "zh-CN": "2026-W30 内容已批准，发布请求发出。",
    en: "The content of 2026-W30 is approved and the publishing request leaves.",
  },
  fault: { "zh-CN": "操作已写入日志，程序死去。", en: "The operation is in the journal, and the process dies." },
  expected: {
    "zh-CN": "接手的执行器先查询，确认不在之后才发出唯一的一次创建。",
    en: "Whoever takes over asks first, finds nothing, and sends the only create.",
  },
  play: async (stage) => {
    await stage.workTo("content_approved");
    await stage.workUntilKilled("after-commit:PublishStarted");
    await stage.workTo("succeeded");
  },
};

const beforeSaving: Scenario = {
  id: "S22",
  group: 6,
  title: { "zh-CN": "发出后、保存前崩溃", en: "Crash after sending, before saving" },
  given: {
    "zh-CN": "2026-W30 内容已批准，发布请求发出。",
    en: "The content of 2026-W30 is approved and the publishing request leaves.",
  },
  fault: {
    "zh-CN": "网站已回答，程序在保存之前死去。",
    en: "The website has answered, and the process dies before it saves that.",
  },
  expected: {
    "zh-CN": "重启后结果未知；查询找到文章；没有第二次创建。",
    en: "After the restart the outcome is unknown; a query finds the article. No second create.",
  },
  play: async (stage) => {
    await stage.workTo("content_approved");
    await stage.workUntilKilled("after-call:publish.create");
    await stage.workTo("succeeded");
  },
};

const savedNotMoved: Scenario = {
  id: "S23",
  group: 6,
  title: { "zh-CN": "已存远端编号，状态未动", en: "Remote id saved, state not moved" },
  given: {
    "zh-CN": "2026-W30 内容已批准，发布请求发出。",
    en: "The content of 2026-W30 is approved and the publishing request leaves.",
  },
  fault: { "zh-CN": "远端编号已保存，程序死去。", en: "The remote id is saved, and the process dies." },
  expected: {
    "zh-CN": "重启后从日志继续，既不重发，也不需要查询。",
    en: "After the restart it goes on from the journal: nothing is sent again and nothing needs to be asked.",
  },
  play: async (stage) => {
    await stage.workTo("content_approved");
    await stage.workUntilKilled("after-commit:RemoteConfirmed:publish.create");
    await stage.workTo("succeeded");
  },
};

const pausedExecutor: Scenario = {
  id: "S24",
  group: 6,
  title: { "zh-CN": "停顿的执行器用旧令牌写入", en: "A paused executor writes with an old token" },
  given: {
    "zh-CN": "2026-W30 内容已批准，发布请求发出。",
    en: "The content of 2026-W30 is approved and the publishing request leaves.",
  },
  fault: {
    "zh-CN": "执行器停住，另一个接管并发布，然后第一个醒来。",
    en: "The executor stands still, another takes over and publishes, then the first wakes up.",
  },
  expected: {
    "zh-CN": "旧令牌的写入被拒绝，它的应答只作为迟到的证据保存；只有一篇文章。",
    en: "The write with the old token is refused, its answer kept as late evidence only. One article.",
  },
  faults: [{ on: "cms.create", fault: "hang-after-commit" }],
  play: async (stage) => {
    await stage.workTo("content_approved");
    await stage.workUntilWithheld();
    stage.pause();
    stage.takeOver();
    await stage.work();
    await stage.wake();
    await stage.workTo("succeeded");
  },
};

export const crashes: ScenarioGroup = {
  number: 6,
  title: { "zh-CN": "崩溃", en: "Crashes" },
  scenarios: [afterPrepared, beforeSaving, savedNotMoved, pausedExecutor],
};
