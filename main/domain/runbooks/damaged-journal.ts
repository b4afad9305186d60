import type { Runbook } from "../runbook";

/** The journal does not keep one of its promises, or its chain is broken. */
export const damagedJournal: Runbook = {
  kind: "damaged_journal",
  version: 1,
  parts: {
    symptom: { en: "A check found: {finding}", "zh-CN": "检查发现：{finding}" },
    impact: {
      en: "What the journal says about the past cannot be relied on here. The outside is as it is.",
      "zh-CN": "日志对此处过去的说法不可信。外部情况不变。",
    },
    quickStop: {
      en: "{scope} is frozen. Keep the file before anything else is tried.",
      "zh-CN": "{scope} 已冻结。尝试任何事之前先保存文件。",
    },
    cause: {
      en: "A failing disk, another program's hand in the file, or a bug of ours.",
      "zh-CN": "磁盘故障、其他程序改动文件，或本程序的缺陷。",
    },
    recovery: {
      en: "Find out what is true from the remotes, and write it down as new records. Nothing is rewritten.",
      "zh-CN": "从远端查明真相，并记为新记录。不改写任何旧记录。",
    },
    verification: {
      en: "A full check names nothing that is not explained in this incident.",
      "zh-CN": "完整检查所指的一切都已在本事故中说明。",
    },
    escalation: {
      en: "Whatever {owner} cannot explain within an hour goes to {backupOwner} with the file.",
      "zh-CN": "{owner} 一小时内解释不了的，连同文件交给 {backupOwner}。",
    },
  },
  steps: [
    {
      ...{ id: "read_finding", phase: "query", who: "editor", withinMinutes: 3, needsNetwork: false },
      words: {
        en: "Read what was found, and since when the check knows it: {since}. {finding}",
        "zh-CN": "读检查发现了什么，以及何时发现：{since}。{finding}",
      },
      branches: [],
    },
    {
      ...{ id: "keep_copy", phase: "freeze", who: "editor", withinMinutes: 10, needsNetwork: false },
      words: {
        en: "Close the app, copy the whole workspace folder elsewhere, and open it again. Note the place.",
        "zh-CN": "关闭程序，把整个工作区文件夹复制到别处，再打开。记下位置。",
      },
      branches: [],
    },
    {
      ...{ id: "run_check", phase: "judge", who: "incident_owner", withinMinutes: 10, needsNetwork: false },
      words: {
        en: "Run the full check on the audit screen once more, and compare its head with your last backup or bundle.",
        "zh-CN": "在审计页再做一次完整检查，将其头部哈希与上次备份或证据包比对。",
      },
      branches: [
        { id: "same", words: { en: "The same finding", "zh-CN": "结果相同" }, to: "name_cause" },
        { id: "gone", words: { en: "It is gone", "zh-CN": "已消失" }, to: "name_cause" },
        { id: "more", words: { en: "There is more", "zh-CN": "更多问题" }, to: "restore" },
      ],
    },
    {
      ...{ id: "name_cause", phase: "judge", who: "incident_owner", withinMinutes: 30, needsNetwork: false },
      words: {
        en: "Name the cause: disk, foreign hand, bug. A guess is written down as one.",
        "zh-CN": "指明原因：磁盘、外部改动、程序缺陷。猜测要写明是猜测。",
      },
      branches: [],
    },
    {
      ...{ id: "restore", phase: "recover", who: "incident_owner", withinMinutes: 20, needsNetwork: false },
      words: {
        en: "If more rows than one task's are concerned, put the last sound backup back: its own runbook follows by itself.",
        "zh-CN": "如涉及不止一个任务的行，还原上一个完好的备份：会自动进入其专用手册。",
      },
      branches: [],
    },
    {
      ...{ id: "compare_remote", phase: "recover", who: "editor", withinMinutes: 15, needsNetwork: true },
      words: {
        en: "Run the reconciliation on Today: what the remotes show is what happened.",
        "zh-CN": "在“今日”运行对账：远端显示的就是发生过的。",
      },
      branches: [],
    },
    {
      ...{ id: "check_again", phase: "verify", who: "editor", withinMinutes: 10, needsNetwork: false },
      words: {
        en: "Run the full check again: only what is explained here may be named.",
        "zh-CN": "再做一次完整检查：只能出现此处已说明的内容。",
      },
      branches: [],
    },
    {
      ...{ id: "tell", phase: "communicate", who: "incident_owner", withinMinutes: 10, needsNetwork: false },
      words: {
        en: "Tell {owner} what cannot be proved any more, and for which editions. Evidence that was handed out before stays as it is.",
        "zh-CN": "告诉 {owner} 哪些期的什么已无法证明。此前交出的证据保持不变。",
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
      en: "No correction is needed: what was published is known from the remotes.",
      "zh-CN": "无需更正：已发布的内容可由远端得知。",
    },
  },
};
