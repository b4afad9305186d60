import type { Runbook } from "../runbook";

/** The journal is older than what it did: a backup was put back, or the workspace was copied. */
export const restoredBackup: Runbook = {
  kind: "restored_backup",
  version: 1,
  parts: {
    symptom: {
      en: "The journal's epoch was raised to {epoch}: it was restored or copied.",
      "zh-CN": "日志纪元已提升到 {epoch}：它被还原或复制过。",
    },
    impact: {
      en: "The outside may know requests that this journal has forgotten. Sending again would do them twice.",
      "zh-CN": "外部可能有本日志已忘记的请求。再次发送会重复执行。",
    },
    quickStop: {
      en: "Nothing leaves until everything recent was asked about. Close every other copy.",
      "zh-CN": "问清最近的一切之前不会发出任何东西。关闭其他所有副本。",
    },
    cause: {
      en: "A restored backup, a copied folder, a profile on two machines.",
      "zh-CN": "还原了备份、复制了文件夹，或同一资料在两台机器上。",
    },
    recovery: {
      en: "Let the reconciliation ask about every recent call, then compare by hand what it could not ask.",
      "zh-CN": "让对账询问每个最近的调用，再手动比对它问不到的。",
    },
    verification: {
      en: "The epoch is reconciled, and the T+1 reconciliation shows no difference.",
      "zh-CN": "纪元已对账，T+1 对账没有差异。",
    },
    escalation: {
      en: "Two copies that ran at once: call {backupOwner} before anything is sent.",
      "zh-CN": "两个副本同时运行过：发送任何东西之前联系 {backupOwner}。",
    },
  },
  steps: [
    {
      ...{ id: "which_backup", phase: "query", who: "editor", withinMinutes: 5, needsNetwork: false },
      words: {
        en: "Find out which backup or copy this is: its date and place. The last event that it knows is on the audit screen.",
        "zh-CN": "弄清这是哪个备份或副本：日期和位置。它所知的最后事件在审计页。",
      },
      branches: [],
    },
    {
      ...{ id: "stop_others", phase: "freeze", who: "account_owner", withinMinutes: 5, needsNetwork: false },
      words: {
        en: "Close the app on every other machine that has this workspace, and say so in a note.",
        "zh-CN": "在其他有该工作区的机器上关闭本程序，并写入备注。",
      },
      branches: [
        { id: "one", words: { en: "This is the only copy", "zh-CN": "只有这一份" }, to: "ask_recent" },
        { id: "more", words: { en: "Another one ran meanwhile", "zh-CN": "另一份同时运行过" }, to: "compare_copies" },
      ],
    },
    {
      ...{ id: "compare_copies", phase: "judge", who: "incident_owner", withinMinutes: 15, needsNetwork: false },
      words: {
        en: "Decide which copy goes on: the one that knows more receipts. The other is kept as a file and never opened again.",
        "zh-CN": "决定保留哪一份：回执更多者。另一份仅作文件保存，不再打开。",
      },
      branches: [],
    },
    {
      ...{ id: "ask_recent", phase: "recover", who: "editor", withinMinutes: 15, needsNetwork: true },
      words: {
        en: "Leave the app open with the network on: it asks about every recent call and settles the epoch by itself.",
        "zh-CN": "联网保持程序打开：它会询问每个最近的调用并自行了结纪元。",
      },
      branches: [],
    },
    {
      ...{ id: "check_ids", phase: "recover", who: "editor", withinMinutes: 10, needsNetwork: true },
      words: {
        en: "For each edition of the last eight days compare page and campaign with the journal.",
        "zh-CN": "对最近八天的每一期，将页面和活动与日志比对。",
      },
      branches: [],
    },
    {
      ...{ id: "reconcile", phase: "verify", who: "editor", withinMinutes: 10, needsNetwork: true },
      words: {
        en: "Run the reconciliation on Today: no difference, or each one an item with an owner.",
        "zh-CN": "在“今日”运行对账：没有差异，或每个差异都是有负责人的事项。",
      },
      branches: [],
    },
    {
      ...{ id: "tell", phase: "communicate", who: "editor", withinMinutes: 5, needsNetwork: false },
      words: {
        en: "Tell {owner} which hours are missing from the journal and what was found about them.",
        "zh-CN": "告诉 {owner} 日志缺了哪些小时，以及查到了什么。",
      },
      branches: [],
    },
  ],
  drafts: {
    customerNote: {
      en: "No note to customers is needed as long as nothing reached them.",
      "zh-CN": "只要客户没有收到任何东西，就无需告知。",
    },
    correction: {
      en: "No correction is needed as long as the reconciliation shows no difference.",
      "zh-CN": "只要对账没有差异，就无需更正。",
    },
  },
};
