import { expect, test } from "vitest";
import type { AlertNotice } from "../../main/compose/alert-desk";
import { noticeText } from "../../main/shell/notice-text";

const notice: AlertNotice = {
  ...{ alertId: "al-1", edition: "2026-W30", todo: "give_verdict", urgency: "five_minutes", more: 0 },
  ...{ actBy: Date.parse("2026-07-20T09:23:00+08:00"), zone: "Asia/Shanghai", isEscalation: false },
};

test("a notification says the kind, the edition and by when in the edition's zone, and nothing else", () => {
  expect(noticeText(notice, "en")).toEqual({
    title: "Sent, no answer: your verdict is needed",
    body: "2026-W30: act by 09:23.",
  });
  expect(noticeText(notice, "zh-CN")).toEqual({
    title: "已发出，未确认：需要您判定",
    body: "2026-W30：请在 09:23 之前处理。",
  });
});

test("it says that it goes to the backup owner, and how many more there are", () => {
  const both = { ...notice, isEscalation: true, more: 2 };
  expect(noticeText(both, "en").title).toBe("To the backup owner: Sent, no answer: your verdict is needed");
  expect(noticeText(both, "zh-CN").body).toBe("2026-W30：请在 09:23 之前处理。收件箱中另有 2 条。");
  expect(noticeText({ ...notice, urgency: "working_hours" }, "en").body).toBe("2026-W30: act in working hours.");
});
