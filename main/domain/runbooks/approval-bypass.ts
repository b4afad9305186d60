import type { Runbook } from "../runbook";

/** Something tried to leave, or left, without a living approval of exactly these bytes. */
export const approvalBypass: Runbook = {
  kind: "approval_bypass",
  version: 1,
  parts: {
    symptom: {
      en: "An approval was passed by, or somebody tried to: {finding}",
      "zh-CN": "审批被绕过，或有人试图绕过：{finding}",
    },
    impact: {
      en: "Something that nobody approved may be outside under our name.",
      "zh-CN": "未经批准的内容可能已以我们的名义发出。",
    },
    quickStop: {
      en: "{scope} is frozen. Approve nothing until it is known who did it.",
      "zh-CN": "{scope} 已冻结。查明来源之前不要批准任何东西。",
    },
    cause: {
      en: "A bug of ours, a changed file, or a hand that should not have had access.",
      "zh-CN": "程序缺陷、文件被改，或不该有权限的人。",
    },
    recovery: {
      en: "Take back what left without approval, or have it approved after the fact as a new version.",
      "zh-CN": "撤回未经批准的发出物，或作为新版本重新审批。",
    },
    verification: {
      en: "Every request in the journal has its approval, and the remotes show nothing else.",
      "zh-CN": "日志里的每个请求都有审批，远端没有其他东西。",
    },
    escalation: {
      en: "Call {backupOwner} at once: two people look at this.",
      "zh-CN": "立即联系 {backupOwner}：此事须两人查看。",
    },
  },
  steps: [
    {
      ...{ id: "read_finding", phase: "query", who: "editor", withinMinutes: 3, needsNetwork: false },
      words: {
        en: "Read what was tried and by whom: {finding}. Last approval: {approval}.",
        "zh-CN": "读发现了什么、由谁所为：{finding}。最近审批：{approval}。",
      },
      branches: [],
    },
    {
      ...{ id: "hold", phase: "freeze", who: "editor", withinMinutes: 1, needsNetwork: false },
      words: {
        en: "Check that {scope} is frozen; quit other programs that have this workspace open.",
        "zh-CN": "确认 {scope} 已冻结；退出打开该工作区的其他程序。",
      },
      branches: [],
    },
    {
      ...{ id: "did_it_leave", phase: "judge", who: "incident_owner", withinMinutes: 10, needsNetwork: true },
      words: {
        en: "Did something leave? Compare the remotes with the approvals of {edition}.",
        "zh-CN": "有东西发出吗？将远端与 {edition} 的审批比对。",
      },
      branches: [
        { id: "no", words: { en: "Nothing left", "zh-CN": "没有发出" }, to: "name_cause" },
        { id: "yes", words: { en: "Something left", "zh-CN": "已有发出" }, to: "take_back" },
      ],
    },
    {
      ...{ id: "name_cause", phase: "judge", who: "incident_owner", withinMinutes: 20, needsNetwork: false },
      words: {
        en: "Name who or what it was. An attempt that was refused is still an attempt.",
        "zh-CN": "指明是谁或是什么。被拒绝的尝试也是尝试。",
      },
      branches: [],
    },
    {
      ...{ id: "take_back", phase: "recover", who: "incident_owner", withinMinutes: 15, needsNetwork: false },
      words: {
        en: "Start the compensation of the run. What cannot be undone is told.",
        "zh-CN": "在运行页启动补偿。无法撤销的要告知。",
      },
      branches: [],
    },
    {
      ...{ id: "check_all", phase: "verify", who: "editor", withinMinutes: 10, needsNetwork: false },
      words: {
        en: "Run the full check on the audit screen: no request without its approval.",
        "zh-CN": "在审计页做完整检查：没有缺审批的请求。",
      },
      branches: [],
    },
    {
      ...{ id: "tell", phase: "communicate", who: "incident_owner", withinMinutes: 10, needsNetwork: false },
      words: {
        en: "Tell {owner} in writing. Renew the signing key if somebody else may have it.",
        "zh-CN": "书面告知 {owner}。如签名密钥可能外泄，请更换。",
      },
      branches: [],
    },
  ],
  drafts: {
    customerNote: {
      en: "Something was published under our name that nobody had approved. It has been taken back.",
      "zh-CN": "有未经批准的内容以我们的名义发布，现已撤回。",
    },
    correction: {
      en: "Correction: what was shown for {edition} was not approved. The approved content is {contentHash}.",
      "zh-CN": "更正：{edition} 曾显示的内容未经批准。已批准内容为 {contentHash}。",
    },
  },
};
