/** What one sample source has news about. `{a}`, `{b}` and `{c}` become numbers of the week, `{v}` a version that counts up. */
interface SourceNews {
  /** The page that presents the source: one of the samples' own, or one that is made for it. */
  home: string;
  language: string;
  /** Title and text, taken in turns. */
  news: readonly (readonly [title: string, text: string])[];
}

/** Invented news for the twelve sample sources, by their ids and in their order: a year of weeks in which prices and limits move. */
export const NEWS: Readonly<Record<string, SourceNews>> = {
  "orbit-changelog": {
    home: "/home/orbit",
    language: "en",
    news: [
      [
        "Orbit Gateway 5.{v} holds agent calls for {a} minutes",
        "From version 5.{v} on, Orbit Gateway can hold agent calls for up to {a} minutes. Batched calls cost {b} percent less than single ones.",
      ],
      [
        "Orbit Gateway 5.{v} keeps audit records for {c} days",
        "Audit records of Orbit Gateway are kept for {c} days instead of {a}. Older exports stay readable until the end of the year.",
      ],
      [
        "Orbit Gateway 5.{v} limits parallel tool calls to {a}",
        "A project may have {a} tool calls open at a time. What comes on top waits in line and is refused after {b} seconds.",
      ],
    ],
  },
  "harbor-releases": {
    home: "/home/harbor",
    language: "en",
    news: [
      [
        "Harbor 3.{v} answers {b} percent faster",
        "Harbor 3.{v} gives its first token {b} percent sooner than the release before. Long documents gain least.",
      ],
      [
        "Harbor 3.{v} takes {c} pages at once",
        "A single call of Harbor 3.{v} may now carry {c} pages. The price of a page does not change.",
      ],
    ],
  },
  "tariff-watch": {
    home: "/home/tariff-watch",
    language: "en",
    news: [
      [
        "Meridian Large falls by {b} percent to {a}.40 dollars",
        "Meridian lowers the price of output tokens by {b} percent, to {a}.40 dollars per million. The new price applies without a new contract.",
      ],
      [
        "Calder raises small models by {a} percent",
        "Calder raises the price of its small models by {a} percent from the first of next month. Cached input stays at a tenth.",
      ],
      [
        "{a} price changes this week",
        "Tariff Watch counted {a} price changes this week. The median reduction was {b} percent.",
      ],
    ],
  },
  "agent-rules": {
    home: "/home/agent-rules",
    language: "en",
    news: [
      [
        "Rule {v}: orders by agents above {c} euro need a name",
        "An order that an agent places above {c} euro must name the person who answers for it. The rule takes effect in {a} weeks.",
      ],
      [
        "Rule {v}: records of refused orders for {a} months",
        "Whoever lets agents place orders keeps the refused ones for {a} months as well. Inspectors may ask for them within {b} days.",
      ],
    ],
  },
  zhinengti: {
    home: "/home/zhinengti",
    language: "zh-CN",
    news: [
      [
        "智能体平台把单次任务上限提高到 {c} 步",
        "从本周起，平台把智能体单次任务的上限提高到 {c} 步。超过 {a} 分钟没有进展的任务会自动停下并保留现场。",
      ],
      [
        "工具市场本周新增 {a} 个连接器",
        "工具市场本周新增 {a} 个连接器，其中 {b}% 支持按次计费。下架的连接器会在三十天后删除。",
      ],
    ],
  },
  cahiers: {
    home: "/home/cahiers",
    language: "fr",
    news: [
      [
        "Une amende de {c} euros pour un agent mal surveillé",
        "Une entreprise doit payer {c} euros parce que son agent avait commandé sans accord. Elle a {a} jours pour faire appel.",
      ],
      [
        "Avis {v} : {a} jours pour contester une décision automatique",
        "Le client a {a} jours pour contester une décision prise par un agent. La réponse doit venir d'une personne.",
      ],
    ],
  },
  "connector-registry": {
    home: "/home/connector-registry",
    language: "en",
    news: [
      [
        "Connector protocol revision {v} is open for comments",
        "Revision {v} of the connector protocol can be commented on for {a} days. It asks for an idempotency key on every write.",
      ],
      [
        "{a} connectors lose their badge",
        "The registry takes the badge from {a} connectors that repeat writes after a timeout. They may apply again after {b} days.",
      ],
    ],
  },
  "price-board": {
    home: "/home/price-board",
    language: "en",
    news: [
      [
        "Browser minutes at Calder cost 0.{a} dollars",
        "Calder sells browser sessions for agents by the minute, at 0.{a} dollars. The first {c} minutes of a month are free.",
      ],
      [
        "Orbit Team costs {a} dollars a seat",
        "The team plan of Orbit costs {a} dollars a seat and month. The number of projects in it changes to {b}.",
      ],
    ],
  },
  "harbor-status": {
    home: "/home/harbor-status",
    language: "en",
    news: [
      [
        "Delays in the batch queue of {a} minutes, resolved",
        "Batches waited up to {a} minutes longer than usual. No batch was lost and none was run twice.",
      ],
      [
        "Errors at login for {b} minutes, resolved",
        "For {b} minutes every fifth login failed. Running sessions were not affected.",
      ],
    ],
  },
  "lattice-lab": {
    home: "/home/lattice",
    language: "en",
    news: [
      [
        "Note {v}: agents that pause for {a} minutes forget less",
        "An agent that writes down its state every {a} minutes repeats {b} percent fewer steps after a restart.",
      ],
      [
        "Note {v}: {c} hours without a person",
        "The longest run without a person took {c} hours. It ended because a page had changed {a} times.",
      ],
    ],
  },
  "court-contract": {
    home: "/home/court-contract",
    language: "en",
    news: [
      [
        "Judgment {v}: an order sent twice is owed once",
        "A buyer whose agent ordered twice within {a} minutes owes one delivery. The seller had to see the same key {b} seconds apart.",
      ],
      [
        "Terms of {a} marketplaces now name agents",
        "{a} marketplaces now say in their terms who answers for an agent. In {b} percent of them it is the account's owner.",
      ],
    ],
  },
  "bench-ledger": {
    home: "/home/bench-ledger",
    language: "en",
    news: [
      [
        "Table {v}: {a} tools finish all office tasks",
        "{a} tools finished all forty office tasks. The slowest of them needed {b} minutes for the longest task.",
      ],
      [
        "Table {v}: {b} percent of tasks change something twice",
        "In {b} percent of the failed tasks the tool changed something twice. With a key the share falls to {a} in a thousand.",
      ],
    ],
  },
};
