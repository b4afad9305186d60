import type { health as english } from "../en/health";
import type { Words } from "../shape";

/** 健康状况页的文字：每项指标的含义与分母。 */
export const health: Words<typeof english> = {
  title: "健康",
  lead: "全部由日志中的事件与操作统计得出，并标明分母。",
  empty: "尚无统计。指标、限额与日志状况会出现在这里。",
  period: "统计期",
  days: "{{days}} 天",
  metrics: "指标",
  noData: "无数据",
  p95: "P95 {{duration}}",
  oldest: "最久的已等待 {{duration}}。",
  trend: "近三个月逐周（从早到晚）：{{values}}",
  rows_other: "依据的 {{count}} 条记录",
  rowsOf: "列出最能说明问题的 {{shown}} 条，共 {{count}} 条",
  openRow: "打开 {{edition}} 的运行",
  openAudit: "打开审计",
  metric: {
    retry_rate: {
      name: "每次调用的重试率",
      means: "读取来源以及向网站和邮件服务商发出的请求中，重复前一次的调用所占比例。",
      of: "{{denominator}} 次调用中有 {{numerator}} 次",
    },
    retry_tasks: {
      name: "有重试的各期",
      means: "统计期内开始的各期中，至少有一次调用被重复的期数。",
      of: "开始的 {{denominator}} 期中有 {{numerator}} 期",
    },
    unknown_duration: {
      name: "未知状态持续时间",
      means: "从未得到回应的请求发出，到其效果被确认或操作被锁定交由人处理。取中位数。",
      of: "{{denominator}} 次未知结果中有 {{numerator}} 次已有结论",
    },
    approval_wait_content: {
      name: "内容审批等待",
      means: "从开始等待内容审批到获得批准。取中位数。",
      of: "已批准 {{denominator}} 次",
    },
    approval_wait_send: {
      name: "发送审批等待",
      means: "从开始等待发送审批到获得批准。取中位数。",
      of: "已批准 {{denominator}} 次",
    },
    recovery_success: {
      name: "恢复成功（已核对）",
      means:
        "曾阻塞、丢失回应或被补偿的各期中，最终结果经过核对的比例：页面与收件人均已证实，或每项补偿均已查看，且没有未关闭的恢复项。",
      of: "需要恢复的 {{denominator}} 期中有 {{numerator}} 期",
    },
    duplicate_rate: {
      name: "重复执行率",
      means: "每千次外部效果中，外部系统上发现多出一个对象的位置数。",
      of: "{{denominator}} 次效果中有 {{numerator}} 次重复",
    },
    mttr: {
      name: "恢复时间（MTTR）",
      means: "从故障确认到一切恢复正常：没有阻塞、没有进行中的补偿、没有未知结果、没有未关闭的事故。取中位数。",
      of: "{{denominator}} 次故障中有 {{numerator}} 次已恢复",
    },
    backlog: {
      name: "待恢复积压",
      means: "尚未关闭的恢复项，以及没有恢复项却停滞的各期，不论何时产生。",
      of: "统计期内 {{denominator}} 项中有 {{numerator}} 项未关闭",
    },
    dead_letters_untouched: {
      name: "24 小时无人处理的死信",
      means: "产生后一天之内无人处理的死信。未满一天的暂不计入。",
      of: "{{denominator}} 封死信中有 {{numerator}} 封",
    },
    recurrence: {
      name: "30 天内复发",
      means: "30 天内曾因同一原因出现过的恢复项：类型、分类、动作与代码均相同。",
      of: "{{denominator}} 个恢复项中有 {{numerator}} 个",
    },
    human_minutes: {
      name: "每期人工时间",
      means: "审批等待与恢复项中记录的分钟数，按期相加。取中位数。",
      of: "有人参与的 {{denominator}} 期",
    },
  },
  coverage: {
    title: "幂等覆盖度",
    means:
      "流程的外部写入中，对方会识别请求的幂等键、或可按键查询的比例。低于 {{needed}} 时，未经人工确认不会重新发送。",
    pipeline: "{{pipeline}}，版本 {{version}}",
    of: "{{of}} 次写入中有 {{covered}} 次",
    uncovered: "未覆盖：{{writes}}",
    automatic: "已证实不存在的，会自动重新发送。",
    manual: "覆盖度不足：已证实不存在的，须由人确认后才重新发送。",
  },
  breakers: {
    title: "熔断器",
    none: "近来没有主机失败。",
    closed: "关闭",
    open: "断开",
    half_open: "半开",
    failures: "连续失败 {{count}} 次",
    next: "下次尝试 {{moment}}",
    tries: "下一次调用即为试探",
  },
  budgets: {
    title: "预算",
    calls: "最多 {{calls}} 次调用，每次 {{call}}，合计 {{step}}，等待至多 {{wait}}",
    used: "已用 {{of}} 次调用中的 {{used}} 次",
    noTasks: "没有正在进行的期。",
  },
  tool: { sources: "来源", general: "网站与邮件", probe: "公开页面", links: "链接" },
  journal: {
    title: "时间与日志",
    time: "时间来源",
    trusted: "{{source}}，可信",
    untrusted: "{{source}}，不可信",
    chain: "链已验证",
    chainNever: "尚未",
    violations: "不变量违反",
    notChecked: "尚未检查",
    size: "日志",
    sizeOf: "{{events}} 个事件，{{bytes}}",
    backup: "最近备份",
    noBackup: "尚无备份",
  },
};
