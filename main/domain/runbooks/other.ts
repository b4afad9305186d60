import type { Runbook } from "../runbook";

/** What no other runbook is for. */
export const other: Runbook = {
  kind: "other",
  version: 1,
  parts: {
    symptom: { en: "Opened by {openedBy}: {finding}", "zh-CN": "由 {openedBy} 立案：{finding}" },
    impact: {
      en: "To be found out: who sees it, who was mailed, what may still leave.",
      "zh-CN": "待查明：谁会看到，谁已收到，还可能发出什么。",
    },
    quickStop: { en: "{scope} is frozen.", "zh-CN": "{scope} 已冻结。" },
    cause: { en: "Not known yet.", "zh-CN": "尚不清楚。" },
    recovery: {
      en: "Undo, correct forward, reconcile or roll back: choose one, and say why.",
      "zh-CN": "补偿、转发修复、对账或回滚：选一个并说明原因。",
    },
    verification: { en: "What was wrong is looked at again at the place itself.", "zh-CN": "到出错之处重新查看。" },
    escalation: {
      en: "After 30 minutes without a way out call {backupOwner}.",
      "zh-CN": "30 分钟仍无出路，请联系 {backupOwner}。",
    },
  },
  steps: [
    {
      ...{ id: "describe", phase: "query", who: "editor", withinMinutes: 5, needsNetwork: false },
      words: {
        en: "Write a note: what you see, where, since when. Ids and hashes, no addresses.",
        "zh-CN": "写备注：看到什么、在哪里、何时起。写编号和哈希，不写地址。",
      },
      branches: [],
    },
    {
      ...{ id: "hold", phase: "freeze", who: "editor", withinMinutes: 1, needsNetwork: false },
      words: {
        en: "Check that the freeze is wide enough: {scope}. A wider one is a second incident.",
        "zh-CN": "确认冻结范围足够：{scope}。需要更大范围就再立一案。",
      },
      branches: [],
    },
    {
      ...{ id: "judge", phase: "judge", who: "incident_owner", withinMinutes: 15, needsNetwork: false },
      words: {
        en: "Decide what it is. If another runbook fits, open that incident and close this one.",
        "zh-CN": "判断是什么。如另一手册更合适，就立那一案并关闭本案。",
      },
      branches: [],
    },
    {
      ...{ id: "recover", phase: "recover", who: "incident_owner", withinMinutes: 30, needsNetwork: false },
      words: {
        en: "Choose the recovery and carry it out at the run. Note each thing you do by hand.",
        "zh-CN": "选定恢复方式并在运行页执行。手动做的每件事都写备注。",
      },
      branches: [],
    },
    {
      ...{ id: "verify", phase: "verify", who: "editor", withinMinutes: 10, needsNetwork: true },
      words: { en: "Look again at the place itself, and keep what you saw.", "zh-CN": "到原处再看一次，并保留所见。" },
      branches: [],
    },
    {
      ...{ id: "tell", phase: "communicate", who: "editor", withinMinutes: 10, needsNetwork: false },
      words: { en: "Tell {owner}; decide whether customers are told.", "zh-CN": "告诉 {owner}；决定是否告知客户。" },
      branches: [],
    },
  ],
  drafts: {
    customerNote: {
      en: "There was a problem with the edition {edition}. We are sorry, and tell you as soon as it is put right.",
      "zh-CN": "{edition} 出现问题，我们深表歉意，处理完毕后会告知您。",
    },
    correction: {
      en: "Correction to the edition {edition}: please see {pageUrl}.",
      "zh-CN": "{edition} 更正：请见 {pageUrl}。",
    },
  },
};
