import type { problem as englishProblem, setup as englishSetup } from "../en/setup";
import type { Words } from "../shape";

export const setup: Words<typeof englishSetup> = {
  title: "选择工作区",
  lead: "未经您批准的字节，Imprimatur 一概不发布；任何内容绝不发布两次。",
  sandbox: {
    title: "沙盒工作区",
    lead: "立即可用，无需账号。",
    points: {
      sources: "12 个示例来源，从本机读取",
      customers: "63 位虚构客户；没有邮件离开本机",
      remotes: "本机的网站与邮件服务商，可开启各种故障",
      clock: "自带时钟，无需等待",
    },
    open: "打开沙盒工作区",
    opening: "正在打开……",
  },
  ledger: {
    title: "示例账本",
    lead: "三十期，供您查看。",
    body: "在本机以真实流程走完 2026 年的三十个星期一，并带有各种故障：丢失的回应、缺失的来源、没有证据的事实、被撤回的一期。首次约需一分钟。",
    open: "打开示例账本",
    make: "生成示例账本",
    building: "正在生成示例账本：第 {{done}} 周，共 {{of}} 周",
    beginning: "正在生成示例账本……",
    cancel: "取消",
    made: "示例账本已生成。",
    failed: "未能生成示例账本：{{reason}}",
  },
  real: {
    title: "正式工作区",
    lead: "此版本尚不提供。",
    body: "连接真实网站和真实邮件服务商的功能尚未完成。沙盒使用同样的日志、审批与检查。",
  },
  notHere: "此处没有沙盒。该面板属于沙盒工作区。",
};

export const problem: Words<typeof englishProblem> = {
  lead: "问题解决之前，不会发布或发送任何内容。",
  file: "文件",
  what: "可以怎么做",
  detail: "技术细节",
  retry: "重试打开",
  retrying: "正在重试……",
  folder: "显示所在文件夹",
  title: {
    newer_file: "此工作区由更新的版本写入",
    damaged: "工作区的一个文件已损坏",
    locked: "工作区正被另一个程序使用",
    read_only: "工作区只能读取",
    disk_full: "磁盘已满",
    chain_broken: "日志的链校验不通过",
    not_writable: "工作区文件夹无法写入",
    unknown: "无法打开工作区",
    bridge: "窗口与应用核心没有连接",
  },
  steps: {
    newer_file: { a: "请启动更新版本的 Imprimatur。", b: "请勿改动该文件：此版本会让它保持原样。" },
    damaged: {
      a: "保留该文件：首先将其复制到安全的位置。",
      b: "在其旁恢复最近的备份。恢复之后，近期的一切都会先对账，再允许发出。",
      c: "检查磁盘。",
    },
    locked: { a: "关闭使用此工作区的另一个窗口或程序。", b: "然后重试；无需修复任何东西。" },
    read_only: { a: "将文件设为可写，或将工作区移到可写的磁盘。", b: "然后重试。" },
    disk_full: { a: "腾出一些空间。Imprimatur 不会自行删除任何东西。", b: "然后重试。" },
    chain_broken: {
      a: "保留该文件：将其复制到安全的位置。有人或某个程序在 Imprimatur 之外改动了它。",
      b: "对副本运行“npm run fsck”，查看第一条不相符的记录。",
      c: "恢复链校验通过的最近备份。",
    },
    not_writable: { a: "为您的账户授予该文件夹的写入权限。", b: "然后重试。" },
    unknown: { a: "请重试。", b: "若仍未解决，请保留该文件和下方的技术细节。" },
    bridge: { a: "请关闭窗口并重新启动 Imprimatur。日志不受影响。" },
  },
};
