import { MINUTE_MS, type Scenario, type ScenarioGroup } from "./stage";
import { toTheReview } from "./ways";

const nameNotFound: Scenario = {
  id: "S01",
  group: 1,
  title: { "zh-CN": "来源域名解析失败后恢复", en: "DNS failure recovered" },
  given: { "zh-CN": "2026-W30 刚开始收集 12 个来源。", en: "2026-W30 has just begun to collect its 12 sources." },
  fault: {
    "zh-CN": "第一个来源的域名第一次查不到。",
    en: "The host of the first source is not found at the first read.",
  },
  expected: {
    "zh-CN": "下一次读取成功，12 个来源全部冻结，这一期等待内容批准。",
    en: "The next read succeeds, all 12 sources are frozen, and the edition waits for the content approval.",
  },
  replaced: { nameNotFound: { source: "orbit-changelog", times: 1 } },
  play: toTheReview,
};

const timeouts: Scenario = {
  id: "S02",
  group: 1,
  title: { "zh-CN": "来源超时用尽预算", en: "Timeouts spend the budget" },
  given: { "zh-CN": "2026-W30 刚开始收集 12 个来源。", en: "2026-W30 has just begun to collect its 12 sources." },
  fault: { "zh-CN": "一个必需来源三次都不回答。", en: "A required source does not answer, three times." },
  expected: {
    "zh-CN": "三次之后不再尝试；这一期因缺少来源停下，什么也没有发出。",
    en: "After three reads it stops trying; the edition is blocked for the missing source, and nothing has left.",
  },
  faults: [{ on: "source.read", fault: "hang-before-commit", times: 3, params: { file: "orbit-changelog.xml" } }],
  play: toTheReview,
};

const hintTooLong: Scenario = {
  id: "S03",
  group: 1,
  title: { "zh-CN": "429 要求等待的时间超过步骤期限", en: "429 with a hint longer than the step's deadline" },
  given: { "zh-CN": "2026-W30 刚开始收集 12 个来源。", en: "2026-W30 has just begun to collect its 12 sources." },
  fault: { "zh-CN": "一个必需来源要求一小时后再来。", en: "A required source asks to come back in an hour." },
  expected: {
    "zh-CN": "不等一小时，也不提前再问；这一期因缺少来源停下。",
    en: "It neither waits the hour nor asks too early; the edition is blocked for the missing source.",
  },
  faults: [
    {
      on: "source.read",
      fault: "status",
      params: { file: "orbit-changelog.xml", status: 429, retryAfterSeconds: 3600 },
    },
  ],
  play: toTheReview,
};

const changedAfterFreezing: Scenario = {
  id: "S04",
  group: 1,
  title: { "zh-CN": "来源冻结后又改动：提醒，不替换", en: "A source changes after freezing: warned, not replaced" },
  given: { "zh-CN": "内容等待批准，来源已经冻结。", en: "The content waits for approval, its sources are frozen." },
  fault: { "zh-CN": "编辑还在读，一个来源改了一条。", en: "While the editor reads, one source amends an item." },
  expected: {
    "zh-CN": "冻结的来源不变；编辑必须勾选提醒才能批准，之后照常发布与发送。",
    en: "The frozen source stays as it is; the approval needs the warning ticked, and then the edition goes out as usual.",
  },
  play: async (stage) => {
    await stage.work();
    const before = stage.operator.see();
    await stage.addFault({ on: "source.read", fault: "wrong-body", params: { file: "orbit-changelog.xml" } });
    await stage.wait(11 * MINUTE_MS);
    await stage.show("while it waits");
    // Somebody who has not seen the warning has not agreed to it.
    stage.operator.approveContent(before);
    stage.operator.approveContent();
    await stage.workTo("succeeded");
  },
};

export const sources: ScenarioGroup = {
  number: 1,
  title: { "zh-CN": "来源", en: "Sources" },
  scenarios: [nameNotFound, timeouts, hintTooLong, changedAfterFreezing],
};
