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
  expected: {
    "zh-CN": "查询确认是自己的文章，继续下去；没有第二篇文章。",
    en: "A query confirms that the article is ours, and the edition goes on. No second article.",
  },
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
  expected: {
    "zh-CN": "不覆盖别人的文章；这一期因冲突停下，等人处理。",
    en: "The other article is not overwritten; the edition is blocked by the conflict and waits for a person.",
  },
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
  expected: {
    "zh-CN": "停下等人登录；登录后用同一个键从同一步继续；只有一篇文章。",
    en: "It is blocked until somebody signs in, then goes on at the same step with the same key. One article.",
  },
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
  expected: {
    "zh-CN": "发出之后的错误记为未知，不是失败；查询找到文章；只有一次创建调用。",
    en: "An error after sending is unknown, not failed; a query finds the article. One create call.",
  },
  faults: [{ on: "cms.create", fault: "status-after-commit" }],
  play: toTheEnd,
};

export const publishErrors: ScenarioGroup = {
  number: 5,
  title: { "zh-CN": "发布错误", en: "Publish errors" },
  scenarios: [sameKey, otherTask, signedOut, errorAfter],
};
