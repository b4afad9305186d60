/** Texts of the health screen: each metric with what it means and what it is out of. */
export const health = {
  title: "Health",
  lead: "Counted from the journal's events and operations, each with what it is out of.",
  empty: "Nothing was counted yet. Metrics, limits and the state of the journal would appear here.",
  period: "Period",
  days: "{{days}} days",
  metrics: "Metrics",
  noData: "no data",
  p95: "P95 {{duration}}",
  oldest: "The oldest has waited {{duration}}.",
  trend: "By week over three months, oldest first: {{values}}",
  rows_one: "{{count}} entry it rests on",
  rows_other: "{{count}} entries it rests on",
  rowsOf: "The {{shown}} that tell most, of {{count}}",
  openRow: "Open the run of {{edition}}",
  openAudit: "Open the audit",
  metric: {
    retry_rate: {
      name: "Retry rate per call",
      means: "Reads of sources and requests to website and mail provider that repeated one before, out of all of them.",
      of: "{{numerator}} of {{denominator}} calls",
    },
    retry_tasks: {
      name: "Editions with a retry",
      means: "Editions begun in the period of which at least one call was repeated.",
      of: "{{numerator}} of {{denominator}} editions begun",
    },
    unknown_duration: {
      name: "Time without an answer",
      means:
        "From the request that got no answer until its effect was confirmed, or the operation was locked for a person. Median.",
      of: "{{numerator}} of {{denominator}} unknown outcomes have ended so",
    },
    approval_wait_content: {
      name: "Wait for content approval",
      means: "From the moment the edition waited for it until it was approved. Median.",
      of: "approvals given: {{denominator}}",
    },
    approval_wait_send: {
      name: "Wait for send approval",
      means: "From the moment the mailing waited for it until it was approved. Median.",
      of: "approvals given: {{denominator}}",
    },
    recovery_success: {
      name: "Recovered, verified",
      means:
        "Editions that were blocked, lost an answer or were compensated, and ended with a verified result: page and recipients proven or each undo looked at, and no recovery item left open.",
      of: "{{numerator}} of {{denominator}} editions that needed recovery",
    },
    duplicate_rate: {
      name: "Duplicate execution",
      means:
        "Places in which a remote was found to have one object more than was asked for, per thousand effects asked for.",
      of: "{{numerator}} duplicates, {{denominator}} effects",
    },
    mttr: {
      name: "Time to restore",
      means:
        "From the confirmation of a fault until nothing was wrong any more: no block, no undo under way, no unknown outcome, no open incident. Median.",
      of: "{{numerator}} of {{denominator}} faults restored",
    },
    backlog: {
      name: "Backlog of recovery",
      means: "Recovery items that are not closed, and editions that stand still without one, whenever they came.",
      of: "{{numerator}} open of {{denominator}} seen in the period",
    },
    dead_letters_untouched: {
      name: "Dead letters untouched for 24 h",
      means:
        "Dead letters that nobody touched within a day of their coming. Those younger than a day do not count yet.",
      of: "{{numerator}} of {{denominator}} dead letters",
    },
    recurrence: {
      name: "Recurrence within 30 days",
      means: "Recovery items whose cause had come before within 30 days: the same kind, class, action and code.",
      of: "{{numerator}} of {{denominator}} recovery items",
    },
    human_minutes: {
      name: "People's time per edition",
      means: "The waits for approvals and the minutes written down at recovery items, added up per edition. Median.",
      of: "editions that people worked on: {{denominator}}",
    },
  },
  coverage: {
    title: "Idempotency coverage",
    means:
      "External writes of the pipeline whose remote heeds the key of the request, or can be asked by it, out of all. Below {{needed}} nothing is sent anew without a person.",
    pipeline: "{{pipeline}}, version {{version}}",
    of: "{{covered}} of {{of}} writes",
    uncovered: "not covered: {{writes}}",
    automatic: "What was proven absent is sent anew by itself.",
    manual: "Too low: what was proven absent waits for a person to confirm that it is sent anew.",
  },
  breakers: {
    title: "Breakers",
    none: "No host has failed lately.",
    closed: "closed",
    open: "open",
    half_open: "half-open",
    failures: "failures in a row: {{count}}",
    next: "next try {{moment}}",
    tries: "the next call is the one that tries",
  },
  budgets: {
    title: "Budgets",
    calls: "{{calls}} calls at most, {{call}} each, {{step}} in all, waits up to {{wait}}",
    used: "{{used}} of {{of}} calls used",
    noTasks: "No edition is under way.",
  },
  tool: { sources: "Sources", general: "Website and mail", probe: "Public page", links: "Links" },
  journal: {
    title: "Time and journal",
    time: "Time source",
    trusted: "{{source}}, trusted",
    untrusted: "{{source}}, not trusted",
    chain: "Chain verified",
    chainNever: "not yet",
    violations: "Invariant violations",
    notChecked: "not checked yet",
    size: "Journal",
    sizeOf: "{{events}} events, {{bytes}}",
    backup: "Last backup",
    noBackup: "no backup yet",
  },
};
