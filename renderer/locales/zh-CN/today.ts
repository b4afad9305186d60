import type { today as english } from "../en/today";
import type { Words } from "../shape";

export const today: Words<typeof english> = {
  title: "今日",
  waiting: {
    title: "等我处理",
    empty: "没有事项等您处理。待审批的关口、受阻的一期或未知的结果会出现在这里。",
    since: "自 {{moment}}",
    noLimit: "无时限",
  },
  kind: {
    content_approval: "内容审批",
    send_approval: "发送审批",
    blocked: "已阻塞",
    unknown_outcome: "已发出，未确认",
    observation: "投递报告逾时未到",
    ready_to_start: "可以开始",
  },
  why: {
    content_approval: "冻结的内容包等待阅读和批准。",
    send_approval: "页面已公开并核对；邮件等待您批准。",
    blocked: "需要由人决定。",
    unknown_outcome: "请求已发出但没有应答；请查看远端。",
    observation: "部分收件人尚无最终结果。",
    ready_to_start: "本期已到时间，可以开始。",
  },
  live: {
    title: "正在进行",
    empty: "没有进行中的一期。开始之后，此处显示其阶段与时间。",
    deadline: "截止 {{moment}}",
    next: "下一步：{{duration}}",
    open: "打开 {{edition}} 的运行",
  },
  health: {
    title: "健康状况",
    events: "日志事件",
    chain: "链已校验",
    chainNever: "尚未",
    unknowns: "未知结果",
    unknownsOf_other: "{{open}} 项未决，共 {{total}} 项，已对账 {{reconciled}} 项",
    duplicates: "重复对象",
    violations: "违反不变量",
    notChecked: "尚未检查",
    breakers: "暂停的主机",
    noBreakers: "无",
  },
  start: {
    button: "开始 {{edition}} 期",
    due: "截止 {{moment}}",
    what: "读取固定来源并生成草稿。未经您批准，不会发布任何内容。",
    busy: "正在开始 {{edition}} 期……",
    label: "开始 {{edition}} 期",
    none: "有一期正在进行；结束之后才能开始下一期。",
  },
  ended: {
    all: "显示全部 {{all}} 期",
    title: "已结束的各期",
    empty: "还没有结束的一期。每一期结束后留在这里，并可打开其运行。",
    at: "结束于 {{moment}}",
  },
};
