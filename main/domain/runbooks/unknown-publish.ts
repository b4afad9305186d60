import type { Runbook } from "../runbook";

/** The request to publish left, and nobody knows what became of it. */
export const unknownPublish: Runbook = {
  kind: "unknown_publish",
  version: 1,
  parts: {
    symptom: {
      en: "{operationKey} left and had no answer; it stands at {operationState}.",
      "zh-CN": "{operationKey} 已发出但没有回应，目前为 {operationState}。",
    },
    impact: {
      en: "The page of {edition} may or may not be public. Nobody has been mailed.",
      "zh-CN": "{edition} 的页面可能已公开，也可能没有。尚未发送任何邮件。",
    },
    quickStop: {
      en: "{scope} is frozen. Do not publish by hand at the website.",
      "zh-CN": "{scope} 已冻结。不要到网站后台手动发布。",
    },
    cause: {
      en: "A lost answer: a timeout, a cut connection, a server error after the request had left.",
      "zh-CN": "回应丢失：超时、连接中断，或请求发出后服务器出错。",
    },
    recovery: {
      en: "Ask the website by key, then say what happened. Never send it again on a guess.",
      "zh-CN": "按键查询网站，再作判定。绝不凭猜测重发。",
    },
    verification: {
      en: "The public page at {pageUrl} equals the approved hash {contentHash}.",
      "zh-CN": "公开页面 {pageUrl} 与已批准的哈希 {contentHash} 一致。",
    },
    escalation: {
      en: "After 30 minutes without an outcome call {backupOwner}.",
      "zh-CN": "30 分钟仍无结果，请联系 {backupOwner}。",
    },
  },
  steps: [
    {
      ...{ id: "read_journal", phase: "query", who: "editor", withinMinutes: 2, needsNetwork: false },
      words: {
        en: "Open the run of {edition} and read the last event of {operationKey}: when it left and what came back.",
        "zh-CN": "打开 {edition} 的运行页，读 {operationKey} 的最后一个事件：何时发出，收到了什么。",
      },
      branches: [],
    },
    {
      ...{ id: "look_now", phase: "query", who: "editor", withinMinutes: 5, needsNetwork: true },
      words: {
        en: "Look now: ask {adapter} by the key {operationKey}. A page that nobody looks for proves nothing.",
        "zh-CN": "立即查看：按键 {operationKey} 询问 {adapter}。没有查询过就什么也证明不了。",
      },
      branches: [
        {
          id: "one",
          words: { en: "One object with our key", "zh-CN": "有一个带我们的键的对象" },
          to: "give_verdict",
        },
        { id: "none", words: { en: "Nothing there", "zh-CN": "什么都没有" }, to: "wait_horizon" },
        {
          id: "two",
          words: {
            en: "Two objects: it is another incident, opened by itself",
            "zh-CN": "有两个对象：另一类事故，会自动立案",
          },
          to: "hold",
        },
      ],
    },
    {
      ...{ id: "hold", phase: "freeze", who: "editor", withinMinutes: 1, needsNetwork: false },
      words: {
        en: "Check that {scope} is frozen, and tell whoever can publish by hand to keep their hands off {slot}.",
        "zh-CN": "确认 {scope} 已冻结，并告知能手动发布的人不要碰 {slot}。",
      },
      branches: [],
    },
    {
      ...{ id: "wait_horizon", phase: "judge", who: "editor", withinMinutes: 15, needsNetwork: true },
      words: {
        en: "“Nothing there” counts only after the website's own delay. Wait for the next planned look and read its receipt.",
        "zh-CN": "“什么都没有”要过了网站自身的延迟才算数。等下一次计划内的查看，并读它的回执。",
      },
      branches: [],
    },
    {
      ...{ id: "give_verdict", phase: "judge", who: "incident_owner", withinMinutes: 5, needsNetwork: false },
      words: {
        en: "Hold the object's hashes against {contentHash}. Say what happened in the unknown panel of the run, with its id as evidence.",
        "zh-CN": "把对象的哈希与 {contentHash} 比对，在运行页的未知面板里作出判定，以对象编号为证据。",
      },
      branches: [],
    },
    {
      ...{ id: "let_go_on", phase: "recover", who: "editor", withinMinutes: 5, needsNetwork: false },
      words: {
        en: "Happened: the edition goes on by itself once this is closed. Did not happen: it is sent again under the same key. Cannot tell: it stays locked.",
        "zh-CN": "已发生：关闭事故后该期自行继续。未发生：以同一个键重发。无法判断：保持锁定。",
      },
      branches: [],
    },
    {
      ...{ id: "read_page", phase: "verify", who: "editor", withinMinutes: 5, needsNetwork: true },
      words: {
        en: "Open {pageUrl} without being logged in and compare title and first fact with the approved package.",
        "zh-CN": "在未登录状态下打开 {pageUrl}，将标题和第一条事实与已批准的包比对。",
      },
      branches: [],
    },
    {
      ...{ id: "tell_owner", phase: "communicate", who: "editor", withinMinutes: 5, needsNetwork: false },
      words: {
        en: "Tell {owner} in one sentence what happened and when. Customers are told only if the edition is late.",
        "zh-CN": "用一句话告诉 {owner} 发生了什么、何时发生。仅在该期延误时才告知客户。",
      },
      branches: [],
    },
  ],
  drafts: {
    customerNote: {
      en: "The edition {edition} appears later than usual today. Nothing is lost; you will get it as soon as it is checked.",
      "zh-CN": "{edition} 今天会比平时晚一些。内容没有丢失，核对完毕后即发送给您。",
    },
    correction: {
      en: "No correction is needed: the published page is the approved one ({contentHash}).",
      "zh-CN": "无需更正：已发布的页面就是已批准的版本（{contentHash}）。",
    },
  },
};
