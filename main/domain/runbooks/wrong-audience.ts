import type { Runbook } from "../runbook";

/** A mailing went, or would go, to people it was not meant for. */
export const wrongAudience: Runbook = {
  kind: "wrong_audience",
  version: 1,
  parts: {
    symptom: {
      en: "The audience {audienceHash} of {edition} holds somebody it should not, or lacks somebody.",
      "zh-CN": "{edition} 的受众 {audienceHash} 含有不该有的人，或少了人。",
    },
    impact: {
      en: "Up to {recipients} recipients: somebody without a right to it may read it, a customer may miss it.",
      "zh-CN": "最多 {recipients} 位收件人：无权者可能读到，客户可能漏收。",
    },
    quickStop: {
      en: "{scope} is frozen: no further mail leaves. Those that left cannot be called back.",
      "zh-CN": "{scope} 已冻结：不再发出邮件。已发出的无法召回。",
    },
    cause: {
      en: "An import with wrong rows, a late unsubscribe, a list version that nobody reviewed.",
      "zh-CN": "导入数据有误、退订晚到，或名单版本未经核对。",
    },
    recovery: {
      en: "Correct the list, count the audience anew, and have it approved anew.",
      "zh-CN": "更正名单，重新计算受众，重新审批。",
    },
    verification: {
      en: "The new audience differs from {audienceHash} exactly by the people who were named.",
      "zh-CN": "新受众与 {audienceHash} 的差别恰好是被指名的人。",
    },
    escalation: {
      en: "Personal data is concerned: call {backupOwner} within 15 minutes.",
      "zh-CN": "涉及个人数据：15 分钟内联系 {backupOwner}。",
    },
  },
  steps: [
    {
      ...{ id: "read_account", phase: "query", who: "editor", withinMinutes: 3, needsNetwork: false },
      words: {
        en: "Open the recipients of the run: who is accepted, delivered, still open. Work with recipient ids, never with addresses.",
        "zh-CN": "打开运行页的收件人：谁已接受、已送达、仍未定。只用收件人编号，不用地址。",
      },
      branches: [],
    },
    {
      ...{ id: "hold", phase: "freeze", who: "editor", withinMinutes: 1, needsNetwork: false },
      words: {
        en: "Check that {scope} is frozen, and pause the campaign at {adapter} if it still runs.",
        "zh-CN": "确认 {scope} 已冻结；如活动仍在运行，在 {adapter} 暂停它。",
      },
      branches: [
        { id: "out", words: { en: "Mails are out", "zh-CN": "已有邮件发出" }, to: "name_wrong" },
        { id: "none", words: { en: "None left", "zh-CN": "尚未发出" }, to: "name_wrong" },
      ],
    },
    {
      ...{ id: "name_wrong", phase: "judge", who: "incident_owner", withinMinutes: 10, needsNetwork: false },
      words: {
        en: "Name the recipients who got it wrongly and those who missed it, by id, and why each was in or out.",
        "zh-CN": "按编号列出错收和漏收的收件人，以及各自入选或缺失的原因。",
      },
      branches: [],
    },
    {
      ...{ id: "correct_list", phase: "recover", who: "editor", withinMinutes: 15, needsNetwork: false },
      words: {
        en: "Correct the import and the suppressions, and import again. The old audience stays in the journal.",
        "zh-CN": "更正导入和抑制名单，重新导入。旧受众保留在日志里。",
      },
      branches: [],
    },
    {
      ...{ id: "new_review", phase: "recover", who: "editor", withinMinutes: 10, needsNetwork: false },
      words: {
        en: "Reject the send review with the reason; the audience is counted anew and needs a new approval.",
        "zh-CN": "以该原因退回发送审核；受众会重新计算，需重新审批。",
      },
      branches: [],
    },
    {
      ...{ id: "compare", phase: "verify", who: "editor", withinMinutes: 5, needsNetwork: false },
      words: {
        en: "In the new review read added and removed: exactly the people who were named, each with its reason.",
        "zh-CN": "在新审核里查看新增与移除：恰好是被指名的人，各有原因。",
      },
      branches: [],
    },
    {
      ...{ id: "decide_told", phase: "communicate", who: "incident_owner", withinMinutes: 15, needsNetwork: false },
      words: {
        en: "Decide with {owner} whom to tell and how, and copy the text below. The app sends nothing.",
        "zh-CN": "与 {owner} 决定告知谁、如何告知，并复制下方文本。本程序不会自行发送。",
      },
      branches: [],
    },
  ],
  drafts: {
    customerNote: {
      en: "You received the edition {edition} by mistake. Please delete it. We have corrected our list and apologise.",
      "zh-CN": "您误收了 {edition}，请予删除。我们已更正名单，谨致歉意。",
    },
    correction: {
      en: "The edition {edition} reached you late because our list was wrong. It is at {pageUrl}.",
      "zh-CN": "由于名单有误，{edition} 未能按时送达您处。请见 {pageUrl}。",
    },
  },
};
