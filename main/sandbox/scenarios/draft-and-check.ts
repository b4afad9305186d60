import type { Scenario, ScenarioGroup } from "./stage";
import { toTheReview } from "./ways";

const oneRepair: Scenario = {
  id: "S05",
  group: 2,
  title: { "zh-CN": "一次结构修复", en: "One structural repair" },
  given: { "zh-CN": "来源已冻结，开始起草。", en: "The sources are frozen and the draft is written." },
  fault: { "zh-CN": "第一份草稿不合结构。", en: "The first draft breaks the schema." },
  replaced: { drafter: { malformed: 1 } },
  play: toTheReview,
};

const secondError: Scenario = {
  id: "S06",
  group: 2,
  title: { "zh-CN": "第二次结构错误就停止", en: "A second structural error blocks" },
  given: { "zh-CN": "来源已冻结，开始起草。", en: "The sources are frozen and the draft is written." },
  fault: { "zh-CN": "修复后的草稿仍不合结构。", en: "The repaired draft breaks the schema as well." },
  replaced: { drafter: { malformed: 2 } },
  play: toTheReview,
};

const noEvidence: Scenario = {
  id: "S07",
  group: 2,
  title: { "zh-CN": "没有证据的事实交给人改稿", en: "A fact without evidence goes to a person, who edits the draft" },
  given: { "zh-CN": "来源已冻结，开始起草。", en: "The sources are frozen and the draft is written." },
  fault: { "zh-CN": "一条事实引用了来源里没有的话。", en: "One fact quotes words that its source does not have." },
  replaced: { drafter: { invented: true } },
  play: async (stage) => {
    await stage.work();
    await stage.show("blocked");
    stage.operator.editContent({ withoutFact: "F9" });
    await stage.work();
  },
};

const links: Scenario = {
  id: "S08",
  group: 2,
  title: {
    "zh-CN": "链接：正常、跳转、超时、拒绝机器人分开",
    en: "Links: 200, redirect, timeout, bot-blocked told apart",
  },
  given: { "zh-CN": "草稿完成，检查 17 个链接。", en: "The draft is written and its 17 links are checked." },
  fault: {
    "zh-CN": "一个跳转，一个不回答，一个拒绝机器人，其余正常。",
    en: "One redirects, one does not answer, one refuses robots.",
  },
  faults: [{ on: "link.read", fault: "hang-before-commit", params: { path: "/articles/orbit/batch-window" } }],
  play: toTheReview,
};

export const draftAndCheck: ScenarioGroup = {
  number: 2,
  title: { "zh-CN": "起草与检查", en: "Draft and check" },
  scenarios: [oneRepair, secondError, noEvidence, links],
};
