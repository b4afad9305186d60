import { HOUR_MS, type Scenario, type ScenarioGroup } from "./stage";

const noHeartbeats: Scenario = {
  id: "S25",
  group: 7,
  title: { "zh-CN": "发布中心跳停止", en: "Heartbeats stop during publishing" },
  given: {
    "zh-CN": "2026-W30 内容已批准，发布请求发出。",
    en: "The content of 2026-W30 is approved and the publishing request leaves.",
  },
  fault: {
    "zh-CN": "执行器不再发心跳，也不再醒来。",
    en: "The executor sends no heartbeat any more and never wakes up.",
  },
  expected: {
    "zh-CN": "租约到期后另一个执行器接管，先查询证明不在，再发出；只有一篇文章。",
    en: "After the lease runs out another executor takes over, proves that nothing is there, then sends. One article.",
  },
  faults: [{ on: "cms.create", fault: "hang-before-commit" }],
  play: async (stage) => {
    await stage.workTo("content_approved");
    await stage.workUntilWithheld();
    stage.pause();
    stage.takeOver();
    await stage.workTo("succeeded");
  },
};

const twoTimers: Scenario = {
  id: "S26",
  group: 7,
  title: { "zh-CN": "两个定时器为同一期触发", en: "Two timers fire for one period" },
  given: { "zh-CN": "星期一 08:30，两个进程都到时间。", en: "Monday 08:30, and two processes find it due." },
  fault: { "zh-CN": "两个定时器同时触发。", en: "Both timers fire." },
  expected: {
    "zh-CN": "两次触发得到同一期；只有一个任务、一篇文章、一次群发。",
    en: "Both come to the same edition: one task, one article, one mailing.",
  },
  beginsAt: { local: "08:30" },
  startsItself: true,
  play: async (stage) => {
    stage.fireTimers(2);
    await stage.workTo("succeeded");
  },
};

const sleeps: Scenario = {
  id: "S27",
  group: 7,
  title: { "zh-CN": "电脑睡过租约和截止时间", en: "The laptop sleeps past lease and deadline" },
  given: { "zh-CN": "发布请求已经发出。", en: "The publishing request has left." },
  fault: { "zh-CN": "盖上电脑八小时。", en: "The lid is closed for eight hours." },
  expected: {
    "zh-CN": "醒来后先查询，找到 18427；截止时间已过，停下等人；邮件不发。",
    en: "On waking it asks first and finds 18427; the deadline has passed, so it is blocked for a person. No mail is sent.",
  },
  faults: [{ on: "cms.create", fault: "hang-after-commit" }],
  play: async (stage) => {
    await stage.workTo("content_approved");
    await stage.workUntilWithheld();
    await stage.sleep(8 * HOUR_MS);
    await stage.work();
  },
};

const doubleClick: Scenario = {
  id: "S28",
  group: 7,
  title: { "zh-CN": "批准按钮点了两次", en: "Double click on approve" },
  given: { "zh-CN": "内容等待批准。", en: "The content waits for approval." },
  fault: { "zh-CN": "批准被点了两次。", en: "Approve is clicked twice." },
  expected: {
    "zh-CN": "第二次点击因版本已变被拒绝；每个批准只算一次，只发一次。",
    en: "The second click is refused because the version has moved on; each approval counts once, and everything goes out once.",
  },
  play: async (stage) => {
    await stage.work();
    const seen = stage.operator.see();
    stage.operator.approveContent(seen);
    stage.operator.approveContent(seen);
    await stage.workTo("awaiting_send_approval");
    const mailing = stage.operator.see();
    stage.operator.approveSend(mailing);
    stage.operator.approveSend(mailing);
    await stage.workTo("succeeded");
  },
};

export const leasesAndTimers: ScenarioGroup = {
  number: 7,
  title: { "zh-CN": "租约与定时", en: "Leases and timers" },
  scenarios: [noHeartbeats, twoTimers, sleeps, doubleClick],
};
