import type { Runbook } from "../runbook";

/** The request to mail left, and nobody knows what became of it. */
export const unknownSend: Runbook = {
  kind: "unknown_send",
  version: 1,
  parts: {
    symptom: {
      en: "{operationKey} left and had no answer; it stands at {operationState}.",
      "zh-CN": "{operationKey} 已发出但没有回应，目前为 {operationState}。",
    },
    impact: {
      en: "Up to {recipients} customers may have been mailed, or none.",
      "zh-CN": "最多 {recipients} 位客户可能已收到邮件，也可能一个都没有。",
    },
    quickStop: {
      en: "{scope} is frozen. Start nothing at the provider's screen: a mail cannot be taken back.",
      "zh-CN": "{scope} 已冻结。不要在服务商界面启动任何发送：邮件无法收回。",
    },
    cause: {
      en: "The answer was lost, or the provider limited the questions after it had accepted.",
      "zh-CN": "回应丢失，或服务商接受后限制了查询。",
    },
    recovery: {
      en: "Ask the provider by key and audience; never send again while it is unknown.",
      "zh-CN": "按键和受众查询服务商；未知期间绝不重发。",
    },
    verification: {
      en: "One campaign with {bodyHash}; the provider's totals equal {recipients}.",
      "zh-CN": "只有一个正文为 {bodyHash} 的活动；服务商总数等于 {recipients}。",
    },
    escalation: {
      en: "After 30 minutes without a way out call {backupOwner}.",
      "zh-CN": "30 分钟仍无出路，请联系 {backupOwner}。",
    },
  },
  steps: [
    {
      ...{ id: "read_journal", phase: "query", who: "editor", withinMinutes: 2, needsNetwork: false },
      words: {
        en: "Read the last event of {operationKey}: created, started, or neither.",
        "zh-CN": "读 {operationKey} 的最后一个事件：已创建、已启动，还是都没有。",
      },
      branches: [],
    },
    {
      ...{ id: "look_now", phase: "query", who: "editor", withinMinutes: 5, needsNetwork: true },
      words: {
        en: "Look now: ask {adapter} for the campaign with the key {operationKey}.",
        "zh-CN": "立即查看：向 {adapter} 查询键为 {operationKey} 的活动。",
      },
      branches: [
        { id: "sent", words: { en: "It is there and was started", "zh-CN": "已存在且已启动" }, to: "give_verdict" },
        {
          id: "draft",
          words: { en: "It is there and was not started", "zh-CN": "已存在但未启动" },
          to: "give_verdict",
        },
        { id: "none", words: { en: "Nothing there", "zh-CN": "什么都没有" }, to: "wait_horizon" },
      ],
    },
    {
      ...{ id: "hold", phase: "freeze", who: "editor", withinMinutes: 1, needsNetwork: false },
      words: {
        en: "Check that {scope} is frozen and that nobody starts a campaign by hand.",
        "zh-CN": "确认 {scope} 已冻结，且无人手动启动活动。",
      },
      branches: [],
    },
    {
      ...{ id: "wait_horizon", phase: "judge", who: "editor", withinMinutes: 15, needsNetwork: true },
      words: {
        en: "“Nothing there” counts only after the provider's own delay. Wait for the next planned look.",
        "zh-CN": "“什么都没有”要过了服务商自身的延迟才算数。等下一次计划内的查看。",
      },
      branches: [],
    },
    {
      ...{ id: "give_verdict", phase: "judge", who: "incident_owner", withinMinutes: 5, needsNetwork: false },
      words: {
        en: "Compare {bodyHash} and {audienceHash} with what the provider shows, then give the verdict in the unknown panel.",
        "zh-CN": "将 {bodyHash} 和 {audienceHash} 与服务商显示的比对，再在未知面板里判定。",
      },
      branches: [],
    },
    {
      ...{ id: "account", phase: "recover", who: "editor", withinMinutes: 15, needsNetwork: true },
      words: {
        en: "Let the delivery reports come in; whoever has none after 30 minutes is closed by a person, with the reason.",
        "zh-CN": "等待送达报告；30 分钟后仍无报告者由人工关闭并写明原因。",
      },
      branches: [],
    },
    {
      ...{ id: "count_twice", phase: "verify", who: "editor", withinMinutes: 5, needsNetwork: true },
      words: {
        en: "Count at the provider: one campaign, no recipient twice, total {recipients}.",
        "zh-CN": "在服务商处核对：一个活动，无人重复，总数 {recipients}。",
      },
      branches: [],
    },
    {
      ...{ id: "tell", phase: "communicate", who: "editor", withinMinutes: 5, needsNetwork: false },
      words: {
        en: "Tell {owner}. Customers are told only if somebody got it twice.",
        "zh-CN": "告诉 {owner}。只有有人收到两次时才告知客户。",
      },
      branches: [],
    },
  ],
  drafts: {
    customerNote: {
      en: "You may have received the edition {edition} twice. Both mails are the same; please ignore the second one.",
      "zh-CN": "您可能收到了两次 {edition}。两封内容相同，请忽略第二封。",
    },
    correction: {
      en: "No correction is needed: the published page is the approved one ({contentHash}).",
      "zh-CN": "无需更正：已发布的页面就是已批准的版本（{contentHash}）。",
    },
  },
};
