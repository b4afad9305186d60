import { HOUR_MS, type Scenario, type ScenarioGroup } from "./stage";

const unsubscribed: Scenario = {
  id: "S33",
  group: 9,
  title: { "zh-CN": "审批期间有人退订", en: "Unsubscribe in between" },
  given: { "zh-CN": "页面已证实，发送等待批准。", en: "The page is proved and the mailing waits for approval." },
  fault: { "zh-CN": "编辑在看时有人退订。", en: "Somebody unsubscribes while the editor reads." },
  expected: {
    "zh-CN": "旧名单的批准被拒绝；编辑看到新名单后批准，发给 62 人。",
    en: "The approval of the old list is refused; the editor sees the new one and approves it. 62 mails.",
  },
  play: async (stage) => {
    await stage.workTo("awaiting_send_approval");
    const seen = stage.operator.see();
    stage.operator.suppress("c007", "unsubscribed");
    stage.operator.approveSend(seen);
    await stage.work();
    await stage.show("after the unsubscribe");
    await stage.workTo("succeeded");
  },
};

const recipientAdded: Scenario = {
  id: "S34",
  group: 9,
  title: { "zh-CN": "批准后加入一位收件人", en: "A recipient added" },
  given: { "zh-CN": "发送已批准，还没有发出。", en: "The mailing is approved and has not left." },
  fault: { "zh-CN": "导入了 64 人的名单。", en: "A list of 64 is imported." },
  expected: {
    "zh-CN": "已批准的名单变了就不发；编辑重新审阅 64 人的名单后再批准，只发一次。",
    en: "With another list nothing is sent; the editor reviews the 64 and approves anew. One mailing.",
  },
  play: async (stage) => {
    await stage.workTo("sending");
    stage.operator.addRecipient("c064", "late@example.org");
    await stage.work();
    await stage.show("send refused");
    stage.operator.unblock("published", "the new list was read");
    await stage.work();
    await stage.show("new review");
    await stage.workTo("succeeded");
  },
};

const bodyChanged: Scenario = {
  id: "S35",
  group: 9,
  title: { "zh-CN": "同一个键，正文不同", en: "Body changed under the same key" },
  given: { "zh-CN": "发送因登录被停，等待重试。", en: "The mailing was stopped by a login and is tried again." },
  fault: { "zh-CN": "同一个键带着另一份正文。", en: "The same key comes with another body." },
  expected: {
    "zh-CN": "同一个键不能换正文：被拒绝，两个哈希都保存；原来的正文照常发出一次。",
    en: "One key cannot carry another body: it is refused and both hashes are kept. The approved body goes out once.",
  },
  faults: [{ on: "mail.create", fault: "auth" }],
  play: async (stage) => {
    await stage.workTo("succeeded");
    stage.operator.unblockWithOtherBody("sending", "signed in again");
    await stage.show("refused");
    stage.operator.unblock("sending", "signed in again");
    await stage.workTo("succeeded");
  },
};

const tooLate: Scenario = {
  id: "S36",
  group: 9,
  title: { "zh-CN": "审批太晚", en: "Review too late" },
  given: { "zh-CN": "页面已证实，发送等待批准。", en: "The page is proved and the mailing waits for approval." },
  fault: { "zh-CN": "过了 10:30 才有人来。", en: "Nobody comes before 10:30." },
  expected: {
    "zh-CN": "截止时间一过就停下；迟到的批准被拒绝，不发邮件。",
    en: "It is blocked at the deadline; the late approval is refused and no mail is sent.",
  },
  play: async (stage) => {
    await stage.workTo("awaiting_send_approval");
    const seen = stage.operator.see();
    await stage.wait(3 * HOUR_MS);
    stage.operator.approveSend(seen);
  },
};

export const sendApproval: ScenarioGroup = {
  number: 9,
  title: { "zh-CN": "发送审批", en: "Send approval" },
  scenarios: [unsubscribed, recipientAdded, bodyChanged, tooLate],
};
