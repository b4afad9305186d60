import type { Runbook } from "../runbook";

/** Two objects lie in one place on a remote. */
export const duplicateRemote: Runbook = {
  kind: "duplicate_remote",
  version: 1,
  parts: {
    symptom: {
      en: "A look found more than one object with our key in {slot}: {remoteIds}.",
      "zh-CN": "一次查看在 {slot} 发现多个带我们的键的对象：{remoteIds}。",
    },
    impact: {
      en: "Readers may find two pages, or customers may get two mails, of {edition}.",
      "zh-CN": "读者可能看到两个页面，客户可能收到两封 {edition} 的邮件。",
    },
    quickStop: {
      en: "Everything at {scope} is frozen, undoing included. Touch neither object and delete neither.",
      "zh-CN": "{scope} 的一切写入已冻结，包括补偿。两个对象都不要动，都不要删。",
    },
    cause: {
      en: "The remote carried one request out twice, or somebody acted by hand.",
      "zh-CN": "远端把一个请求执行了两次，或有人手动操作。",
    },
    recovery: {
      en: "Keep the one that equals the approval and is reachable; take the other down at the remote's own screen.",
      "zh-CN": "保留与审批一致且可访问的那个，在远端自己的界面下线另一个。",
    },
    verification: {
      en: "The kept page equals {contentHash}; the other address answers 404 or 410; nothing was mailed twice.",
      "zh-CN": "保留的页面与 {contentHash} 一致；另一地址返回 404 或 410；没有邮件发送两次。",
    },
    escalation: {
      en: "After 30 minutes without a way out call {backupOwner}.",
      "zh-CN": "30 分钟仍无出路，请联系 {backupOwner}。",
    },
  },
  steps: [
    {
      ...{ id: "read_receipt", phase: "query", who: "editor", withinMinutes: 2, needsNetwork: false },
      words: {
        en: "Read the receipt of the look: which objects, where, and whose hashes agree. {remoteUrls}",
        "zh-CN": "读查看回执：有哪些对象、在哪里、谁的哈希一致。{remoteUrls}",
      },
      branches: [],
    },
    {
      ...{ id: "stop_mailing", phase: "freeze", who: "editor", withinMinutes: 1, needsNetwork: false },
      words: {
        en: "Check that nothing of {edition} was mailed: {recipients} recipients wait. Ask the owner to stop scheduler and drafter.",
        "zh-CN": "确认 {edition} 没有发送邮件：{recipients} 位收件人在等待。请负责人停下定时任务和起草。",
      },
      branches: [
        { id: "nothing", words: { en: "Nothing was mailed", "zh-CN": "没有发送" }, to: "choose" },
        { id: "mailed", words: { en: "Something was mailed", "zh-CN": "已有发送" }, to: "count_mailed" },
      ],
    },
    {
      ...{ id: "count_mailed", phase: "judge", who: "incident_owner", withinMinutes: 5, needsNetwork: true },
      words: {
        en: "List from the provider's own report who got what, and keep the list as evidence.",
        "zh-CN": "根据服务商自己的报告列出谁收到了什么，并留作证据。",
      },
      branches: [],
    },
    {
      ...{ id: "choose", phase: "judge", who: "incident_owner", withinMinutes: 5, needsNetwork: true },
      words: {
        en: "Choose the true one by hash and access: it equals {contentHash} and is public at {pageUrl}.",
        "zh-CN": "按哈希和可访问性选定正确的一个：与 {contentHash} 一致，并在 {pageUrl} 公开。",
      },
      branches: [],
    },
    {
      ...{ id: "take_down", phase: "recover", who: "account_owner", withinMinutes: 5, needsNetwork: true },
      words: {
        en: "Take the other one down at the website's own screen: to draft, not deleted. Note its redirect and cache.",
        "zh-CN": "在网站自己的界面把另一个下线：改为草稿，不删除。记下其跳转与缓存。",
      },
      branches: [],
    },
    {
      ...{ id: "look_again", phase: "verify", who: "editor", withinMinutes: 5, needsNetwork: true },
      words: {
        en: "Close the incident: it looks again, and refuses while the other one is public.",
        "zh-CN": "关闭事故：系统会再查看一次，另一个仍公开时会拒绝。",
      },
      branches: [],
    },
    {
      ...{ id: "release", phase: "verify", who: "incident_owner", withinMinutes: 3, needsNetwork: false },
      words: {
        en: "The owner releases scheduler and drafter. Note by whom and when, and the key of the next edition.",
        "zh-CN": "负责人放行定时任务和起草。记下由谁、何时，以及下一期的键。",
      },
      branches: [],
    },
    {
      ...{ id: "tell", phase: "communicate", who: "editor", withinMinutes: 5, needsNetwork: false },
      words: {
        en: "Tell {owner} which one stayed. Customers are told only if a mail went out twice or the wrong address was quoted.",
        "zh-CN": "告诉 {owner} 保留了哪一个。只有重复发信或地址被引用时才告知客户。",
      },
      branches: [],
    },
  ],
  drafts: {
    customerNote: {
      en: "The edition {edition} was reachable at a second address for a short time. The right one is {pageUrl}.",
      "zh-CN": "{edition} 曾短时间在第二个地址可见。正确的地址是 {pageUrl}。",
    },
    correction: {
      en: "No correction is needed: the published page is the approved one ({contentHash}).",
      "zh-CN": "无需更正：已发布的页面就是已批准的版本（{contentHash}）。",
    },
  },
};
