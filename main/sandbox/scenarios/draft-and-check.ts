import type { Scenario, ScenarioGroup } from "./stage";
import { toTheReview } from "./ways";

const oneRepair: Scenario = {
  id: "S05",
  group: 2,
  title: { "zh-CN": "一次结构修复", en: "One structural repair" },
  given: { "zh-CN": "来源已冻结，开始起草。", en: "The sources are frozen and the draft is written." },
  fault: { "zh-CN": "第一份草稿不合结构。", en: "The first draft breaks the schema." },
  expected: {
    "zh-CN": "修复一次后草稿合格，这一期等待内容批准。",
    en: "One repair makes the draft valid, and the edition waits for the content approval.",
  },
  replaced: { drafter: { malformed: 1 } },
  play: toTheReview,
};

const secondError: Scenario = {
  id: "S06",
  group: 2,
  title: { "zh-CN": "第二次结构错误就停止", en: "A second structural error blocks" },
  given: { "zh-CN": "来源已冻结，开始起草。", en: "The sources are frozen and the draft is written." },
  fault: { "zh-CN": "修复后的草稿仍不合结构。", en: "The repaired draft breaks the schema as well." },
  expected: {
    "zh-CN": "不作第三次尝试；这一期因草稿结构停下，等人处理。",
    en: "There is no third attempt; the edition is blocked for the draft's structure and waits for a person.",
  },
  replaced: { drafter: { malformed: 2 } },
  play: toTheReview,
};

const noEvidence: Scenario = {
  id: "S07",
  group: 2,
  title: { "zh-CN": "没有证据的事实交给人改稿", en: "A fact without evidence goes to a person, who edits the draft" },
  given: { "zh-CN": "来源已冻结，开始起草。", en: "The sources are frozen and the draft is written." },
  fault: { "zh-CN": "一条事实引用了来源里没有的话。", en: "One fact quotes words that its source does not have." },
  expected: {
    "zh-CN": "这一期停下；编辑删去这条事实后重新检查，再等待内容批准。",
    en: "The edition is blocked; the editor takes the fact out, the checks run again, and it waits for the content approval.",
  },
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
  expected: {
    "zh-CN": "四种结果分别记录；跳转、超时和拒绝机器人是要勾选的提醒，不是断链。",
    en: "All four are told apart; redirect, time-out and refused robots are warnings to tick, not broken links.",
  },
  faults: [{ on: "link.read", fault: "hang-before-commit", params: { path: "/articles/orbit/batch-window" } }],
  play: toTheReview,
};

export const draftAndCheck: ScenarioGroup = {
  number: 2,
  title: { "zh-CN": "起草与检查", en: "Draft and check" },
  scenarios: [oneRepair, secondError, noEvidence, links],
};
