import type { Runbook } from "../runbook";

/** A source that the edition needs could not be read. */
export const sourceMissing: Runbook = {
  kind: "source_missing",
  version: 1,
  parts: {
    symptom: {
      en: "A required source of {edition} is not frozen; the edition stands at {state}.",
      "zh-CN": "{edition} 的一个必需来源没有冻结；该期目前为 {state}。",
    },
    impact: {
      en: "The edition cannot be drafted. Nothing was published and nobody was mailed.",
      "zh-CN": "无法起草该期。没有发布，也没有发信。",
    },
    quickStop: {
      en: "{scope} is frozen. Nothing has to be stopped outside.",
      "zh-CN": "{scope} 已冻结。外部没有需要停止的东西。",
    },
    cause: {
      en: "The source moved, is down, limits us, or changed its form.",
      "zh-CN": "来源迁移、宕机、限流，或格式改变。",
    },
    recovery: {
      en: "Read it again later, or decide with a reason to go without it. A fact without its source is never written.",
      "zh-CN": "稍后再读，或写明原因决定不用它。没有来源的事实绝不写入。",
    },
    verification: {
      en: "Every required source is frozen with address, time, hash and licence.",
      "zh-CN": "每个必需来源都已冻结，含地址、时间、哈希和许可。",
    },
    escalation: {
      en: "After 30 minutes without a way out call {backupOwner}.",
      "zh-CN": "30 分钟仍无出路，请联系 {backupOwner}。",
    },
  },
  steps: [
    {
      ...{ id: "which", phase: "query", who: "editor", withinMinutes: 2, needsNetwork: false },
      words: {
        en: "Open the sources of the run: which one is missing, and the last error of each try.",
        "zh-CN": "打开运行页的来源：缺哪一个，每次尝试的最后错误是什么。",
      },
      branches: [],
    },
    {
      ...{ id: "hold", phase: "freeze", who: "editor", withinMinutes: 1, needsNetwork: false },
      words: {
        en: "Leave the edition blocked. Do not take an older snapshot for this week's.",
        "zh-CN": "保持阻塞。不要拿旧快照冒充本周。",
      },
      branches: [],
    },
    {
      ...{ id: "open_by_hand", phase: "judge", who: "editor", withinMinutes: 5, needsNetwork: true },
      words: { en: "Open the source in a browser.", "zh-CN": "在浏览器里打开来源。" },
      branches: [
        { id: "there", words: { en: "It is there", "zh-CN": "能打开" }, to: "collect_again" },
        { id: "moved", words: { en: "It has moved", "zh-CN": "已迁移" }, to: "new_address" },
        { id: "down", words: { en: "It is down", "zh-CN": "宕机" }, to: "ask_owner" },
      ],
    },
    {
      ...{ id: "new_address", phase: "recover", who: "editor", withinMinutes: 10, needsNetwork: false },
      words: {
        en: "Put the new address into the source list, with the reason, and collect again.",
        "zh-CN": "把新地址写入来源列表并写明原因，然后重新采集。",
      },
      branches: [],
    },
    {
      ...{ id: "ask_owner", phase: "recover", who: "incident_owner", withinMinutes: 15, needsNetwork: false },
      words: {
        en: "Decide with {owner}: wait with a new deadline, or close the edition protectively.",
        "zh-CN": "与 {owner} 决定：设新截止时间等待，或保护性关闭该期。",
      },
      branches: [],
    },
    {
      ...{ id: "collect_again", phase: "recover", who: "editor", withinMinutes: 10, needsNetwork: true },
      words: {
        en: "Unblock the edition towards collecting; it reads what is missing and nothing else.",
        "zh-CN": "解除阻塞回到采集；只读取缺失的部分。",
      },
      branches: [],
    },
    {
      ...{ id: "all_frozen", phase: "verify", who: "editor", withinMinutes: 5, needsNetwork: false },
      words: {
        en: "Check that every required source is frozen, and that facts of it quote the new snapshot.",
        "zh-CN": "确认每个必需来源都已冻结，其事实引用的是新快照。",
      },
      branches: [],
    },
    {
      ...{ id: "tell", phase: "communicate", who: "editor", withinMinutes: 5, needsNetwork: false },
      words: { en: "If the edition is late, copy the note below.", "zh-CN": "如该期延误，复制下方通知。" },
      branches: [],
    },
  ],
  drafts: {
    customerNote: {
      en: "The edition {edition} appears later than usual: one of its sources cannot be read yet.",
      "zh-CN": "{edition} 会比平时晚：有一个来源暂时无法读取。",
    },
    correction: {
      en: "The edition {edition} appears without one of its usual sources. We add it as soon as it can be read.",
      "zh-CN": "{edition} 缺少一个常用来源，能读取后我们会补上。",
    },
  },
};
