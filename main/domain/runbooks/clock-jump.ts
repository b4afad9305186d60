import type { Runbook } from "../runbook";

/** The wall clock jumped, or differs from the servers'. */
export const clockJump: Runbook = {
  kind: "clock_jump",
  version: 1,
  parts: {
    symptom: {
      en: "The clock moved by itself, or disagrees with the servers since {since}.",
      "zh-CN": "时钟自行变动，或自 {since} 起与服务器不一致。",
    },
    impact: {
      en: "Deadlines, approvals and timers may have come too early or too late.",
      "zh-CN": "截止时间、审批和定时任务可能过早或过晚。",
    },
    quickStop: {
      en: "{scope} is frozen. Do not set the clock by hand while something is under way.",
      "zh-CN": "{scope} 已冻结。有事进行中时不要手动调时钟。",
    },
    cause: {
      en: "A laptop that slept, a changed zone, a battery, a time server that could not be reached.",
      "zh-CN": "电脑休眠、时区改变、电池问题，或连不上时间服务器。",
    },
    recovery: {
      en: "Let the clock be set by the network, then judge every moment that lay in between.",
      "zh-CN": "让网络校时，再逐一判断期间的时刻。",
    },
    verification: {
      en: "Trusted time is there again, and no approval was used outside of its term.",
      "zh-CN": "可信时间已恢复，没有审批在有效期外被使用。",
    },
    escalation: {
      en: "After 30 minutes without a way out call {backupOwner}.",
      "zh-CN": "30 分钟仍无出路，请联系 {backupOwner}。",
    },
  },
  steps: [
    {
      ...{ id: "read_clock", phase: "query", who: "editor", withinMinutes: 2, needsNetwork: false },
      words: {
        en: "Read the clock panel: wall time, trusted time and their difference. Note the moment of the jump: {since}.",
        "zh-CN": "读时钟面板：本机时间、可信时间及差值。记下跳变时刻：{since}。",
      },
      branches: [],
    },
    {
      ...{ id: "hold", phase: "freeze", who: "editor", withinMinutes: 1, needsNetwork: false },
      words: {
        en: "Check that {scope} is frozen. Timers that are paused stay paused until you have looked.",
        "zh-CN": "确认 {scope} 已冻结。已暂停的定时任务在查看之前保持暂停。",
      },
      branches: [],
    },
    {
      ...{ id: "which_way", phase: "judge", who: "editor", withinMinutes: 5, needsNetwork: false },
      words: { en: "Which way did it jump?", "zh-CN": "往哪个方向跳？" },
      branches: [
        { id: "ahead", words: { en: "Ahead", "zh-CN": "向前" }, to: "check_expired" },
        { id: "back", words: { en: "Back", "zh-CN": "向后" }, to: "check_twice" },
      ],
    },
    {
      ...{ id: "check_expired", phase: "judge", who: "editor", withinMinutes: 10, needsNetwork: false },
      words: {
        en: "Ahead: look for approvals and deadlines that ended too early, and give them again by hand.",
        "zh-CN": "向前：查找过早结束的审批和截止时间，手动重新给出。",
      },
      branches: [],
    },
    {
      ...{ id: "check_twice", phase: "judge", who: "editor", withinMinutes: 10, needsNetwork: false },
      words: {
        en: "Back: look for a timer that fired twice, and for events whose number is later than their time.",
        "zh-CN": "向后：查找触发两次的定时任务，以及编号较晚而时间较早的事件。",
      },
      branches: [],
    },
    {
      ...{ id: "set_clock", phase: "recover", who: "account_owner", withinMinutes: 10, needsNetwork: true },
      words: {
        en: "Turn on automatic time in the system's settings and wait until the app shows trusted time.",
        "zh-CN": "在系统设置里打开自动校时，等到程序显示可信时间。",
      },
      branches: [],
    },
    {
      ...{ id: "moments", phase: "verify", who: "editor", withinMinutes: 10, needsNetwork: false },
      words: {
        en: "Check of {edition}: approval {approval}, deadline, next look. Resume the schedules.",
        "zh-CN": "核对 {edition}：审批 {approval}、截止时间、下次查看。恢复定时任务。",
      },
      branches: [],
    },
    {
      ...{ id: "tell", phase: "communicate", who: "editor", withinMinutes: 5, needsNetwork: false },
      words: {
        en: "Tell {owner} from when to when times in the journal are doubtful.",
        "zh-CN": "告诉 {owner} 日志里哪段时间的时刻存疑。",
      },
      branches: [],
    },
  ],
  drafts: {
    customerNote: {
      en: "The edition {edition} appears later than usual today.",
      "zh-CN": "{edition} 今天会比平时晚一些。",
    },
    correction: {
      en: "No correction is needed: the published page is the approved one ({contentHash}).",
      "zh-CN": "无需更正：已发布的页面就是已批准的版本（{contentHash}）。",
    },
  },
};
