import type { Runbook } from "../runbook";

/** The public page is not the approved one. */
export const wrongPageLive: Runbook = {
  kind: "wrong_page_live",
  version: 1,
  parts: {
    symptom: {
      en: "The page at {pageUrl} is not the approved content {contentHash}.",
      "zh-CN": "{pageUrl} 的页面不是已批准的内容 {contentHash}。",
    },
    impact: {
      en: "Readers see something that nobody approved. {recipients} customers may be sent there.",
      "zh-CN": "读者看到未经批准的内容。{recipients} 位客户可能被引向该页。",
    },
    quickStop: {
      en: "{scope} is frozen: no mail points there. Undoing stays possible.",
      "zh-CN": "{scope} 已冻结：不会有邮件指向该页。仍可补偿。",
    },
    cause: {
      en: "A cache, somebody's edit at the website, or another edition under this address.",
      "zh-CN": "缓存、有人在网站上编辑，或该地址被另一期占用。",
    },
    recovery: {
      en: "Point the site back, or publish the approved bytes as a new version. Four recoveries are four doors.",
      "zh-CN": "把网站指回旧版，或以新版本发布已批准的内容。四种恢复是四扇不同的门。",
    },
    verification: {
      en: "The page read now equals {contentHash}, title and every link included.",
      "zh-CN": "现在读到的页面与 {contentHash} 一致，包括标题和全部链接。",
    },
    escalation: {
      en: "After 30 minutes without a way out call {backupOwner}.",
      "zh-CN": "30 分钟仍无出路，请联系 {backupOwner}。",
    },
  },
  steps: [
    {
      ...{ id: "read_page", phase: "query", who: "editor", withinMinutes: 3, needsNetwork: true },
      words: {
        en: "Read {pageUrl} without being logged in and keep what it shows. Compare with the package of the run.",
        "zh-CN": "在未登录状态下读 {pageUrl} 并保留所见，与运行页的包比对。",
      },
      branches: [],
    },
    {
      ...{ id: "hold", phase: "freeze", who: "editor", withinMinutes: 1, needsNetwork: false },
      words: {
        en: "Check that {scope} is frozen and that no send approval of {edition} is used.",
        "zh-CN": "确认 {scope} 已冻结，{edition} 的发送审批未被使用。",
      },
      branches: [],
    },
    {
      ...{ id: "find_cause", phase: "judge", who: "incident_owner", withinMinutes: 10, needsNetwork: true },
      words: {
        en: "Tell cache, edit and foreign page apart: the website's own revision list, then the page with a fresh cache.",
        "zh-CN": "区分缓存、编辑与他人页面：先看网站自己的修订列表，再绕过缓存看页面。",
      },
      branches: [
        { id: "cache", words: { en: "An old copy is shown", "zh-CN": "显示的是旧缓存" }, to: "wait_cache" },
        { id: "edited", words: { en: "Somebody edited it", "zh-CN": "有人编辑过" }, to: "undo" },
        { id: "foreign", words: { en: "It is not ours", "zh-CN": "不是我们的" }, to: "undo" },
      ],
    },
    {
      ...{ id: "wait_cache", phase: "recover", who: "account_owner", withinMinutes: 15, needsNetwork: true },
      words: {
        en: "Clear the cache at the website's own screen and wait for the next probe.",
        "zh-CN": "在网站自己的界面清除缓存，等下一次探测。",
      },
      branches: [],
    },
    {
      ...{ id: "undo", phase: "recover", who: "incident_owner", withinMinutes: 15, needsNetwork: false },
      words: {
        en: "Start the compensation of the run, or correct it forward with a new version. Nothing that is newer is overwritten.",
        "zh-CN": "在运行页启动补偿，或以新版本转发修复。较新的内容不会被覆盖。",
      },
      branches: [],
    },
    {
      ...{ id: "prove", phase: "verify", who: "editor", withinMinutes: 5, needsNetwork: true },
      words: {
        en: "Close the incident: it reads the page again and refuses while it differs from {contentHash}.",
        "zh-CN": "关闭事故：系统会重读页面，与 {contentHash} 不同则拒绝。",
      },
      branches: [],
    },
    {
      ...{ id: "decide_told", phase: "communicate", who: "incident_owner", withinMinutes: 15, needsNetwork: false },
      words: {
        en: "Decide with {owner} whether readers are told, and copy the correction below.",
        "zh-CN": "与 {owner} 决定是否告知读者，并复制下方更正。",
      },
      branches: [],
    },
  ],
  drafts: {
    customerNote: {
      en: "For a short time the page of {edition} showed something else. The right one is at {pageUrl}.",
      "zh-CN": "{edition} 的页面曾短时间显示其他内容。正确版本见 {pageUrl}。",
    },
    correction: {
      en: "Correction: the page of {edition} was wrong and has been put right. Approved content: {contentHash}.",
      "zh-CN": "更正：{edition} 的页面有误，现已改正。已批准内容：{contentHash}。",
    },
  },
};
