import type { Scenario, ScenarioGroup, ScenarioStage } from "./stage";

/** Version 29 is on the site and its task is closed; version 30 has other words and has just been published over it. */
export async function publishTwice(stage: ScenarioStage): Promise<void> {
  await stage.workTo("awaiting_send_approval");
  stage.operator.closeProtectively("the prices changed this morning");
  await newWords(stage, "v30");
}

/** A further version of the edition, with other words, goes as far as the question whether to send it. */
export async function newWords(stage: ScenarioStage, mark: string): Promise<void> {
  stage.startVersion();
  await stage.work();
  stage.operator.editContent({ title: (title) => `${title} ${mark}` });
  await stage.workTo("awaiting_send_approval");
}

const given = {
  "zh-CN": "网站上是 v30，它更新了 v29；v30 有错。",
  en: "v30 is on the site as an update of v29, and v30 is wrong.",
};

const backToBefore: Scenario = {
  id: "S45",
  group: 12,
  title: { "zh-CN": "从 v30 退回 v29", en: "Back from v30 to v29" },
  given,
  fault: { "zh-CN": "编辑启动补偿；网站上还是 v30。", en: "The editor starts the undo; the site still has v30." },
  expected: {
    "zh-CN": "以条件写入退回 v29，并证实公开页面；文章只有一篇，不发邮件。",
    en: "v29 is put back by a conditional write and proved on the public page. One article, no mail.",
  },
  play: async (stage) => {
    await publishTwice(stage);
    stage.operator.startCompensation("v30 is wrong");
    await stage.work();
  },
};

const newerThere: Scenario = {
  id: "S46",
  group: 12,
  title: {
    "zh-CN": "v31 已在：不覆盖，以新版本向前修复",
    en: "v31 already there: nothing overwritten, forward fix in a new version",
  },
  given,
  fault: { "zh-CN": "有人已在网站上放了 v31。", en: "Somebody has put v31 on the site." },
  expected: {
    "zh-CN": "v31 不被覆盖；撤销交给人，随后以新版本 v32 向前修复。",
    en: "v31 is not overwritten; the undo goes to a person, and a new version, v32, repairs it forward.",
  },
  play: async (stage) => {
    await publishTwice(stage);
    await stage.atTheWebsite({ overwrite: "18427" });
    await stage.wait(5_000);
    stage.operator.startCompensation("v30 is wrong");
    await stage.work();
    await stage.show("nothing overwritten");
    stage.operator.closeUndo("point_page_back", "v31 was right about the price, a new version follows");
    await stage.work();
    await newWords(stage, "v32");
  },
};

const thirdStep: Scenario = {
  id: "S47",
  group: 12,
  title: {
    "zh-CN": "撤销的第三步失败，其他继续，之后从这一步接着做",
    en: "Third step of an undo entry fails; others go on, later resumed at that step",
  },
  given: {
    "zh-CN": "文章已发布，63 封邮件已发，两位没有结果。",
    en: "The article is out, 63 mails are out, and two have no result.",
  },
  fault: {
    "zh-CN": "文章撤下后，公开地址一直给出旧页面。",
    en: "The page is taken down, and its public address goes on showing it.",
  },
  expected: {
    "zh-CN": "失败的一项保持打开，其他各项照常进行；之后从第三步接着做完。",
    en: "The failed entry stays open while the others go on; later it is resumed at its third step and finished.",
  },
  config: { pendingForever: 2 },
  play: async (stage) => {
    await stage.workTo("succeeded");
    await stage.addFault({ on: "site.read", fault: "stale", times: 20 });
    stage.operator.startCompensation("the whole edition is wrong");
    await stage.work();
    await stage.show("third step failed");
    await stage.clearFaults();
    // Customers are told after the proof, not before.
    stage.operator.closeUndo("tell_customers", "told by a correction mail");
    stage.operator.resumeUndo("take_page_down", "the cache was emptied");
    await stage.work();
    await stage.show("page proved gone");
    stage.operator.closeUndo("tell_customers", "told by a correction mail");
    await stage.work();
  },
};

const duplicateDrill: Scenario = {
  id: "S48",
  group: 12,
  title: { "zh-CN": "重复演练：证据齐全才能关闭", en: "Duplicate drill closed only with full evidence" },
  given: {
    "zh-CN": "演练：同一个键有两篇文章，写入已冻结。",
    en: "A drill: two articles with one key, and writes are frozen.",
  },
  fault: {
    "zh-CN": "有人想在证据齐全之前关闭事故。",
    en: "Somebody wants to close the incident before the evidence is complete.",
  },
  expected: {
    "zh-CN": "证据不全时三次拒绝；齐全之后关闭，这一期继续，邮件只发一次。",
    en: "It is refused three times while evidence is missing; with all of it the incident closes and the mail goes out once.",
  },
  faults: [{ on: "cms.create", fault: "duplicate", params: { status: 504 } }],
  play: async (stage) => {
    await stage.workTo("succeeded");
    await stage.wait(5_000);
    await stage.operator.closeIncident("", false);
    await stage.operator.closeIncident("18427", true);
    await stage.atTheWebsite({ takeDown: "18428" });
    await stage.wait(5_000);
    await stage.operator.closeIncident("18427", false);
    await stage.show("frozen");
    await stage.operator.closeIncident("18427", true);
    stage.operator.verdict("publish.create", "happened", "18427");
    stage.operator.unblock("publishing", "incident closed");
    await stage.workTo("succeeded");
  },
};

export const recovery: ScenarioGroup = {
  number: 12,
  title: { "zh-CN": "恢复", en: "Recovery" },
  scenarios: [backToBefore, newerThere, thirdStep, duplicateDrill],
};
