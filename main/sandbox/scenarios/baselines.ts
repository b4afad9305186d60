import { HOUR_MS, type Scenario } from "./stage";
import { toTheEnd } from "./ways";

/** What a run without a fault must be, what silence is not, and what a broken part of our own must not give away. */
export const baselines: readonly Scenario[] = [
  {
    id: "B1",
    group: 0,
    title: { "zh-CN": "正常运行没有明显变慢", en: "A normal run is not noticeably slower" },
    given: { "zh-CN": "一期正常的简报。", en: "An ordinary edition." },
    fault: { "zh-CN": "没有故障；数对外请求和日志提交。", en: "None; calls to the outside and commits are counted." },
    expected: {
      "zh-CN": "对外请求和日志提交的次数不多于规定；一篇文章，63 封邮件。",
      en: "No more calls and commits than laid down; one article, 63 mails.",
    },
    countsCommits: true,
    play: toTheEnd,
  },
  {
    id: "B2",
    group: 0,
    title: { "zh-CN": "审批超时不当作批准", en: "An approval that times out is never taken as given" },
    given: { "zh-CN": "发送等待批准。", en: "The mailing waits for its approval." },
    fault: { "zh-CN": "一直没有人回应。", en: "Nobody ever answers." },
    expected: {
      "zh-CN": "截止时间一过就停下；沉默不是批准，不发邮件。",
      en: "It is blocked at the deadline: silence is no approval, and no mail is sent.",
    },
    play: async (stage) => {
      await stage.workTo("awaiting_send_approval");
      await stage.wait(48 * HOUR_MS);
    },
  },
  {
    id: "B3",
    group: 0,
    title: {
      "zh-CN": "监视损坏时，调试日志里没有客户内容",
      en: "A broken monitor writes no customer content to a debug log",
    },
    given: {
      "zh-CN": "一期正常的简报，监视程序在每次提交时出错。",
      en: "An ordinary edition, with a monitor that breaks at every commit.",
    },
    fault: {
      "zh-CN": "错误的文字里带着它正在看的内容。",
      en: "The error's text quotes what the monitor was looking at.",
    },
    expected: {
      "zh-CN": "这一期照常完成；调试日志里没有地址，也没有简报内容。",
      en: "The edition is finished as usual; no address and no word of the briefing stands in the debug log.",
    },
    replaced: { brokenMonitor: true },
    play: toTheEnd,
  },
];
