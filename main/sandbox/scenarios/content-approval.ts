import { HOUR_MS, type Scenario, type ScenarioGroup } from "./stage";

const oneByte: Scenario = {
  id: "S09",
  group: 3,
  title: { "zh-CN": "批准后改了一个字", en: "One byte changed" },
  given: { "zh-CN": "内容已批准，还没有发布。", en: "The content is approved and not yet published." },
  fault: { "zh-CN": "标题改了一个字。", en: "One letter of the title is changed." },
  expected: {
    "zh-CN": "旧的批准不适用于新内容，被拒绝；重新批准之后只发布一次。",
    en: "The old approval does not fit the new bytes and is refused; after a new one the article is published once.",
  },
  play: async (stage) => {
    await stage.work();
    const seen = stage.operator.see();
    stage.operator.approveContent(seen);
    stage.operator.editContent({ title: (title) => `${title}.` });
    await stage.work();
    // The old approval's hashes under the new version: what was seen is not what is there.
    const { packageHash = null, contentHash = null } = seen;
    stage.operator.approveContent({ ...stage.operator.see(), packageHash, contentHash });
    await stage.workTo("succeeded");
  },
};

const expired: Scenario = {
  id: "S10",
  group: 3,
  title: { "zh-CN": "内容审批过期", en: "Content approval expired" },
  given: { "zh-CN": "内容在星期六完成，星期一才到期。", en: "The content is ready on Saturday and due on Monday." },
  fault: { "zh-CN": "一天一夜没有人点击。", en: "For a day and a night nobody clicks." },
  expected: {
    "zh-CN": "过期后停下，迟到的点击被拒绝；重新检查之后再等待批准。",
    en: "It is blocked at the expiry and the late click is refused; after new checks it waits for an approval again.",
  },
  beginsAt: { local: "08:00", daysBefore: 2 },
  play: async (stage) => {
    await stage.work();
    const seen = stage.operator.see();
    await stage.wait(25 * HOUR_MS);
    await stage.show("the morning after");
    stage.operator.approveContent(seen);
    stage.operator.unblock("checking", "read it again");
    await stage.work();
  },
};

const revokedBefore: Scenario = {
  id: "S11",
  group: 3,
  title: { "zh-CN": "发布前撤销", en: "Revoked before publishing" },
  given: { "zh-CN": "内容刚刚批准。", en: "The content has just been approved." },
  fault: { "zh-CN": "编辑立即撤销。", en: "The editor takes the approval back at once." },
  expected: {
    "zh-CN": "没有发出任何请求；撤销的批准不会复活，需要新的批准。",
    en: "No request leaves; a revoked approval does not come back, a new one is needed.",
  },
  play: async (stage) => {
    await stage.work();
    stage.operator.approveContent();
    stage.operator.revoke("publish", "the price is wrong");
    await stage.work();
    // A revoked approval stays revoked: the same content needs a new one.
    stage.operator.unblock("checking", "the price was right");
    await stage.work();
  },
};

const revokedAfter: Scenario = {
  id: "S12",
  group: 3,
  title: {
    "zh-CN": "请求发出后撤销：记下、查清、再停",
    en: "Revoked after the request left: noted, settled by query, then blocked",
  },
  given: {
    "zh-CN": "发布请求已经发出，网站没有回答。",
    en: "The publishing request has left and the website is silent.",
  },
  fault: { "zh-CN": "编辑撤销批准。", en: "The editor takes the approval back." },
  expected: {
    "zh-CN": "不再重发；查询找到 18427，这一期随后停下，并提供补偿。",
    en: "Nothing is sent again; a query finds 18427, then the edition is blocked and the undo is offered.",
  },
  faults: [{ on: "cms.create", fault: "hang-after-commit" }],
  play: async (stage) => {
    await stage.workTo("content_approved");
    await stage.workUntilWithheld();
    stage.operator.revoke("publish", "the price is wrong");
    await stage.show("request out");
    await stage.work();
  },
};

export const contentApproval: ScenarioGroup = {
  number: 3,
  title: { "zh-CN": "内容审批", en: "Content approval" },
  scenarios: [oneByte, expired, revokedBefore, revokedAfter],
};
