/** The words of the report, which is read where the app is not. */

export type ReportLanguage = "en" | "zh-CN";

const en = {
  title: "Evidence",
  sandbox: "Made in a sandbox workspace: practice, with invented customers.",
  made: "Made",
  signedBy: "Signed by",
  key: "Key",
  journal: "Journal",
  journalLine: "events, chain head",
  howTo: "How to check it",
  howToText:
    "Open README-VERIFY.txt in this folder. It names the commands; none of them is ours, and none needs a network. What is written on this page is proved by them, not by the page.",
  notProved: "What it does not prove",
  notProvedItems: [
    "Who holds the key. Compare the fingerprint with one that came to you another way.",
    "When it was signed. The time above is that of the computer that made the bundle; no time stamp of a third party is in it.",
    "What happened outside and was never reported back. “Confirmed” means that the website or the mail provider said so when asked.",
    "That a mail was read, or reached a person. “Delivered” is the mail provider's word.",
    "That no other journal exists. It proves that this one was not changed after it was signed.",
  ],
  edition: "Edition",
  state: "State",
  events: "Events",
  approvals: "Approvals",
  operations: "Effects outside",
  looks: "Asked",
  recipients: "Recipients",
  undo: "Undo",
  files: "Files",
  time: "Time (UTC)",
  local: "Local time",
  what: "What",
  by: "By",
  reason: "Reason",
  scope: "Agreed to",
  until: "Valid until",
  bound: "Bound to",
  ended: "Revoked or ended",
  effect: "Effect",
  tries: "Tries",
  remote: "There as",
  verdict: "Found",
  grade: "Grade",
  sha256: "SHA-256",
  bytes: "Bytes",
  place: "In this bundle",
  licence: "Licence",
  none: "none",
  withheld: {
    licence: "left out: its licence does not let a copy be passed on",
    choice: "left out by choice",
    addresses: "left out: addresses, or computed from them",
    not_kept: "no longer kept; its hash stays",
  },
  withheldNote:
    "Event contents of other tasks, if there are any, are left out; their hashes are in the chain, so that it can still be checked.",
};

type Words = typeof en;

const zh: Words = {
  title: "证据",
  sandbox: "本证据出自沙盒工作区：仅为练习，客户均为虚构。",
  made: "生成时间",
  signedBy: "签名者",
  key: "密钥",
  journal: "日志",
  journalLine: "个事件，链尾",
  howTo: "如何核验",
  howToText:
    "请打开本文件夹中的 README-VERIFY.txt，其中列出核验命令：都不是我们的程序，也都不需要网络。本页所述由这些命令证明，而不是由本页自身证明。",
  notProved: "它不能证明什么",
  notProvedItems: [
    "密钥由谁持有。请与另行收到的指纹比对。",
    "签名的时刻。上面的时间来自生成证据包的计算机；其中没有第三方时间戳。",
    "外部发生过但从未回报的事。“已确认”指网站或邮件服务商在被询问时如此回答。",
    "邮件被阅读或到达本人。“已送达”是邮件服务商的说法。",
    "不存在另一份日志。它只证明这一份在签名之后未被改动。",
  ],
  edition: "期",
  state: "状态",
  events: "事件",
  approvals: "审批",
  operations: "对外操作",
  looks: "对账查询",
  recipients: "收件人",
  undo: "补偿",
  files: "文件",
  time: "时间（UTC）",
  local: "当地时间",
  what: "内容",
  by: "执行者",
  reason: "原因",
  scope: "同意的事项",
  until: "有效至",
  bound: "绑定的哈希",
  ended: "撤销或失效",
  effect: "操作",
  tries: "尝试",
  remote: "远端对象",
  verdict: "结论",
  grade: "等级",
  sha256: "SHA-256",
  bytes: "字节",
  place: "在本证据包中",
  licence: "许可",
  none: "无",
  withheld: {
    licence: "未包含：其许可不允许转交副本",
    choice: "按选择未包含",
    addresses: "未包含：地址或由地址计算得出",
    not_kept: "已不再保存；哈希仍在",
  },
  withheldNote: "若日志中有其他任务，其事件内容未包含；其哈希仍在链中，因此整条链仍可核验。",
};

export const REPORT_WORDS: Readonly<Record<ReportLanguage, Words>> = { en, "zh-CN": zh };
export type ReportWords = Words;

/** The report's language for a task's: Chinese for any Chinese, else English. */
export const reportLanguage = (language: string): ReportLanguage => (/^zh\b/i.test(language) ? "zh-CN" : "en");
