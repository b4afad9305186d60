import type { Output } from "../../preload/contract";
import type { Preference } from "./handlers";

/** The sentences of the frame: menus, dialogs, tray. Screens have theirs in the renderer. */
export interface Texts {
  menu: {
    file: string;
    edit: string;
    view: string;
    go: string;
    window: string;
    help: string;
    quit: string;
    hide: string;
    hideOthers: string;
    showAll: string;
    about: string;
    closeWindow: string;
    undo: string;
    redo: string;
    cut: string;
    copy: string;
    paste: string;
    selectAll: string;
    zoomIn: string;
    zoomOut: string;
    zoomReset: string;
    fullScreen: string;
    minimize: string;
    commandMenu: string;
    today: string;
    recovery: string;
    ledger: string;
    health: string;
    drills: string;
    audit: string;
    settings: string;
    filter: string;
    next: string;
    previous: string;
    open: string;
    back: string;
    rawJson: string;
    shortcuts: string;
  };
  tray: {
    show: string;
    quit: string;
    nothing: string;
    /** What holds everything back, whichever edition. */
    everything: (what: string) => string;
    /** @param by a moment in words, or null: no time limit */
    waits: (edition: string, what: string, by: string | null) => string;
    runs: (edition: string, due: string) => string;
    counts: (waiting: number, running: number) => string;
    kind: Readonly<Record<Output<"today.get">["waiting"][number]["kind"], string>>;
  };
  cancel: string;
  external: { title: string; message: (host: string) => string; open: string };
  callInFlight: { message: string; detail: string; finish: string; now: string };
  stillFinishing: { message: string; detail: string; wait: string; now: string };
  runStops: { message: string; detail: string; quit: string };
  keepsRunning: { message: string; detail: string; keep: string; stay: string };
  finishingTitle: string;
  crashed: { message: string; detail: string; reload: string; quit: string };
  hangs: { message: string; detail: string; wait: string; reload: string };
  cannotStart: { message: string; detail: (folder: string) => string; quit: string };
  fault: { message: string; detail: (folder: string) => string; quit: string };
}

const en: Texts = {
  menu: {
    file: "File",
    edit: "Edit",
    view: "View",
    go: "Go",
    window: "Window",
    help: "Help",
    quit: "Quit Imprimatur",
    hide: "Hide Imprimatur",
    hideOthers: "Hide Others",
    showAll: "Show All",
    about: "About Imprimatur",
    closeWindow: "Close Window",
    undo: "Undo",
    redo: "Redo",
    cut: "Cut",
    copy: "Copy",
    paste: "Paste",
    selectAll: "Select All",
    zoomIn: "Larger Text",
    zoomOut: "Smaller Text",
    zoomReset: "Usual Text Size",
    fullScreen: "Full Screen",
    minimize: "Minimize",
    commandMenu: "Command Menu…",
    today: "Today",
    recovery: "Recovery",
    ledger: "Ledger",
    health: "Health",
    drills: "Drills",
    audit: "Audit",
    settings: "Settings",
    filter: "Filter",
    next: "Next Entry",
    previous: "Previous Entry",
    open: "Open Entry",
    back: "Back",
    rawJson: "Raw JSON of the Event",
    shortcuts: "Shortcuts",
  },
  tray: {
    show: "Show Imprimatur",
    quit: "Quit Imprimatur",
    nothing: "Nothing waits and nothing runs",
    everything: (what) => `Everything: ${what}`,
    waits: (edition, what, by) => `${edition}: ${what}${by === null ? "" : `, by ${by}`}`,
    runs: (edition, due) => `${edition}: under way, due ${due}`,
    counts: (waiting, running) => `${waiting} waiting, ${running} under way`,
    kind: {
      content_approval: "content approval",
      send_approval: "send approval",
      blocked: "blocked",
      unknown_outcome: "sent, no answer",
      observation: "delivery reports are missing",
      ready_to_start: "ready to start",
      undo_failed: "an undo has failed",
      undo_by_person: "an undo waits for a person",
      incident: "an incident is open",
    },
  },
  cancel: "Cancel",
  external: {
    title: "Open outside of Imprimatur",
    message: (host) => `Open this address at ${host} in your browser?`,
    open: "Open in the browser",
  },
  callInFlight: {
    message: "A request has left and its answer is not here yet.",
    detail:
      "Finish, then quit: waits for the answer, starts nothing new, and quits.\n\nQuit now: the outcome is recorded as unknown. At the next start the remote is asked before anything else is sent.",
    finish: "Finish, then quit",
    now: "Quit now, mark as unknown",
  },
  stillFinishing: {
    message: "Still waiting for an answer.",
    detail: "Quit now: the outcome is recorded as unknown, and the remote is asked at the next start.",
    wait: "Keep waiting",
    now: "Quit now, mark as unknown",
  },
  runStops: {
    message: "An edition is under way.",
    detail:
      "Imprimatur does not stay in a tray here. When you quit, nothing more of the edition happens until you start Imprimatur again: no checks, no reminders, no scheduled steps, no delivery reports. Deadlines and approvals go on expiring.",
    quit: "Quit, nothing will run",
  },
  keepsRunning: {
    message: "Imprimatur goes on in the tray.",
    detail:
      "An edition is under way, so closing the window does not quit. You find Imprimatur in the tray, and quit it there. This is said only once.",
    keep: "Go on in the tray",
    stay: "Leave the window open",
  },
  finishingTitle: "Imprimatur – waiting for an answer, then quitting",
  crashed: {
    message: "The window's content has stopped.",
    detail: "The journal and everything under way are untouched. Text that was not saved on the screen is lost.",
    reload: "Reload the window",
    quit: "Quit Imprimatur",
  },
  hangs: {
    message: "The window does not answer.",
    detail: "The journal and everything under way are untouched.",
    wait: "Keep waiting",
    reload: "Reload the window",
  },
  cannotStart: {
    message: "Imprimatur could not start.",
    detail: (folder) => `Nothing was sent and nothing was changed. The debug log is in\n${folder}`,
    quit: "Quit Imprimatur",
  },
  fault: {
    message: "Imprimatur met a fault of its own and has stopped.",
    detail: (folder) =>
      `Nothing more is sent. What was under way counts as unknown and is looked up at the next start. The debug log is in\n${folder}`,
    quit: "Quit Imprimatur",
  },
};

const zh: Texts = {
  menu: {
    file: "文件",
    edit: "编辑",
    view: "显示",
    go: "前往",
    window: "窗口",
    help: "帮助",
    quit: "退出 Imprimatur",
    hide: "隐藏 Imprimatur",
    hideOthers: "隐藏其他",
    showAll: "全部显示",
    about: "关于 Imprimatur",
    closeWindow: "关闭窗口",
    undo: "撤销",
    redo: "重做",
    cut: "剪切",
    copy: "复制",
    paste: "粘贴",
    selectAll: "全选",
    zoomIn: "放大文字",
    zoomOut: "缩小文字",
    zoomReset: "默认文字大小",
    fullScreen: "全屏",
    minimize: "最小化",
    commandMenu: "命令菜单…",
    today: "今日",
    recovery: "恢复",
    ledger: "账本",
    health: "健康",
    drills: "演练",
    audit: "审计",
    settings: "设置",
    filter: "筛选",
    next: "下一项",
    previous: "上一项",
    open: "打开所选项",
    back: "返回",
    rawJson: "事件的原始 JSON",
    shortcuts: "快捷键",
  },
  tray: {
    show: "显示 Imprimatur",
    quit: "退出 Imprimatur",
    nothing: "没有等待处理和正在运行的事项",
    everything: (what) => `全部：${what}`,
    waits: (edition, what, by) => `${edition}：${what}${by === null ? "" : `，截至 ${by}`}`,
    runs: (edition, due) => `${edition}：进行中，截止 ${due}`,
    counts: (waiting, running) => `等待处理 ${waiting} 项，进行中 ${running} 项`,
    kind: {
      content_approval: "等待内容审批",
      send_approval: "等待发送审批",
      blocked: "已阻塞",
      unknown_outcome: "已发出，未确认",
      observation: "等待送达报告",
      ready_to_start: "可以开始",
      undo_failed: "撤销失败",
      undo_by_person: "有一项撤销待人处理",
      incident: "有一起事故未了结",
    },
  },
  cancel: "取消",
  external: {
    title: "在 Imprimatur 之外打开",
    message: (host) => `要在浏览器中打开 ${host} 上的这个地址吗？`,
    open: "在浏览器中打开",
  },
  callInFlight: {
    message: "有一个请求已经发出，应答尚未收到。",
    detail:
      "完成后退出：等待应答，不再开始新的操作，然后退出。\n\n立即退出：结果记为未知。下次启动时会先向远端查询，再发送其他内容。",
    finish: "完成后退出",
    now: "立即退出，记为未知",
  },
  stillFinishing: {
    message: "仍在等待应答。",
    detail: "立即退出：结果记为未知，下次启动时向远端查询。",
    wait: "继续等待",
    now: "立即退出，记为未知",
  },
  runStops: {
    message: "有一期正在进行。",
    detail:
      "Imprimatur 在这里不会停留在托盘中。退出后，在您再次启动 Imprimatur 之前，这一期不会再有任何动作：没有检查、提醒、定时步骤和送达报告。截止时间与审批仍会照常到期。",
    quit: "退出，停止一切动作",
  },
  keepsRunning: {
    message: "Imprimatur 将在托盘中继续运行。",
    detail: "有一期正在进行，因此关闭窗口不会退出。您可以在托盘中找到 Imprimatur，并在那里退出。此提示只出现一次。",
    keep: "在托盘中继续",
    stay: "保留窗口",
  },
  finishingTitle: "Imprimatur – 正在等待应答，随后退出",
  crashed: {
    message: "窗口内容已停止运行。",
    detail: "日志和正在进行的一切均未受影响。屏幕上未保存的文字会丢失。",
    reload: "重新加载窗口",
    quit: "退出 Imprimatur",
  },
  hangs: {
    message: "窗口没有响应。",
    detail: "日志和正在进行的一切均未受影响。",
    wait: "继续等待",
    reload: "重新加载窗口",
  },
  cannotStart: {
    message: "Imprimatur 无法启动。",
    detail: (folder) => `没有发出任何内容，也没有更改任何内容。调试日志位于\n${folder}`,
    quit: "退出 Imprimatur",
  },
  fault: {
    message: "Imprimatur 自身出现故障，已停止。",
    detail: (folder) => `不会再发出任何内容。正在进行的操作记为未知，下次启动时会先查询。调试日志位于\n${folder}`,
    quit: "退出 Imprimatur",
  },
};

const LANGUAGES: Readonly<Record<Preference["language"], Texts>> = { en, "zh-CN": zh };

export const textsIn = (language: Preference["language"]): Texts => LANGUAGES[language];
