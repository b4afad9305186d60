import type { Scenario, ScenarioGroup } from "./stage";
import { toTheEnd } from "./ways";

const sameKey: Scenario = {
  id: "S17",
  group: 5,
  title: { "zh-CN": "409：同键同哈希", en: "409, same key and same hash" },
  given: {
    "zh-CN": "2026-W30 内容已批准，发布请求发出。",
    en: "The content of 2026-W30 is approved and the publishing request leaves.",
  },
  fault: { "zh-CN": "文章已在，网站回答 409。", en: "The article is there, and the answer is 409." },
  faults: [{ on: "cms.create", fault: "conflict-same" }],
  play: toTheEnd,
};

const otherTask: Scenario = {
  id: "S18",
  group: 5,
  title: { "zh-CN": "409：地址被别的任务占用", en: "409, taken by another task" },
  given: {
    "zh-CN": "2026-W30 内容已批准，发布请求发出。",
    en: "The content of 2026-W30 is approved and the publishing request leaves.",
  },
  fault: { "zh-CN": "地址上是别的任务的文章。", en: "Another task's article has the address." },
  faults: [{ on: "cms.create", fault: "conflict-other" }],
  play: toTheEnd,
};

const signedOut: Scenario = {
  id: "S19",
  group: 5,
  title: { "zh-CN": "401，登录后从同一步继续", en: "401, then resumed at the same step" },
  given: {
    "zh-CN": "2026-W30 内容已批准，发布请求发出。",
    en: "The content of 2026-W30 is approved and the publishing request leaves.",
  },
  fault: { "zh-CN": "网站不认登录。", en: "The website does not accept the login." },
  faults: [{ on: "cms.create", fault: "auth" }],
  play: async (stage) => {
    await stage.workTo("succeeded");
    await stage.show("signed out");
    stage.operator.unblock("publishing", "signed in again");
    await stage.workTo("succeeded");
  },
};

const errorAfter: Scenario = {
  id: "S20",
  group: 5,
  title: { "zh-CN": "处理后回答 500", en: "500 after sending" },
  given: {
    "zh-CN": "2026-W30 内容已批准，发布请求发出。",
    en: "The content of 2026-W30 is approved and the publishing request leaves.",
  },
  fault: { "zh-CN": "文章已发布，网站回答 500。", en: "The article is published, and the answer is 500." },
  faults: [{ on: "cms.create", fault: "status-after-commit" }],
  play: toTheEnd,
};

export const publishErrors: ScenarioGroup = {
  number: 5,
  title: { "zh-CN": "发布错误", en: "Publish errors" },
  scenarios: [sameKey, otherTask, signedOut, errorAfter],
};
