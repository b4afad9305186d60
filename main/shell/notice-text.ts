import type { AlertNotice } from "../compose/alert-desk";
import type { Preference } from "./handlers";

interface Words {
  todo: Readonly<Record<AlertNotice["todo"], string>>;
  actBy: (edition: string, moment: string) => string;
  workingHours: (edition: string) => string;
  escalated: (text: string) => string;
  more: (text: string, count: number) => string;
}

const en: Words = {
  todo: {
    unblock: "An edition is blocked",
    give_verdict: "Sent, no answer: your verdict is needed",
    free_address: "The address is taken",
    close_incident: "Two objects in one place",
    follow_runbook: "An incident is open",
    finish_undo: "An undo has failed",
    undo_by_hand: "An undo waits for a person",
    watch_reports: "Delivery reports are missing",
    take_on_item: "A recovery item is untouched",
    judge_difference: "The outside differs from the journal",
    play_drill: "A drill is to be played",
    review_cause: "The same trouble again: a review is owed",
    look_at_dependency: "A dependency needs ever more attempts",
  },
  actBy: (edition, moment) => `${edition}: act by ${moment}.`,
  workingHours: (edition) => `${edition}: act in working hours.`,
  escalated: (text) => `To the backup owner: ${text}`,
  more: (text, count) => `${text} ${count} more in the inbox.`,
};

const zh: Words = {
  todo: {
    unblock: "有一期已阻塞",
    give_verdict: "已发出，未确认：需要您判定",
    free_address: "地址已被占用",
    close_incident: "同一位置有两个对象",
    follow_runbook: "有一起事故未了结",
    finish_undo: "撤销失败",
    undo_by_hand: "有一项撤销等待人工处理",
    watch_reports: "缺少送达报告",
    take_on_item: "有一个恢复项无人处理",
    judge_difference: "外部与日志不一致",
    play_drill: "有一项演练要做",
    review_cause: "同样的问题反复出现：须复盘",
    look_at_dependency: "有一个依赖的重试越来越多",
  },
  actBy: (edition, moment) => `${edition}：请在 ${moment} 之前处理。`,
  workingHours: (edition) => `${edition}：请在工作时间内处理。`,
  escalated: (text) => `转后备负责人：${text}`,
  more: (text, count) => `${text}收件箱中另有 ${count} 条。`,
};

const LANGUAGES: Readonly<Record<Preference["language"], Words>> = { en, "zh-CN": zh };

/**
 * What a notification says: what kind of thing, which edition, by when. Whoever passes a locked screen learns nothing of what
 * is to be published, and no address.
 */
export function noticeText(notice: AlertNotice, language: Preference["language"]): { title: string; body: string } {
  const words = LANGUAGES[language];
  const { todo, edition, urgency, actBy, zone, isEscalation, more } = notice;
  const kind = words.todo[todo];
  const moment = new Intl.DateTimeFormat(language, {
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
    timeZone: zone,
  }).format(actBy);
  const due = urgency === "working_hours" ? words.workingHours(edition) : words.actBy(edition, moment);
  return { title: isEscalation ? words.escalated(kind) : kind, body: more > 0 ? words.more(due, more) : due };
}
