import type { MixInput } from "./mix";

/**
 * The thirty weeks of the reference ledger (domain 11): which week what went wrong in. What it comes to is counted afterwards
 * from what the journal and the remotes have, and stands nowhere here.
 */
export const DEFAULT_MIX: MixInput = {
  editions: 30,
  sources: [
    { week: 1, source: "zhinengti", error: "dns" },
    { week: 3, source: "price-board", error: "timeout" },
    { week: 4, source: "orbit-changelog", error: "dns" },
    { week: 5, source: "tariff-watch", error: "timeout" },
    { week: 7, source: "harbor-releases", error: "rate_limit" },
    { week: 9, source: "cahiers", error: "dns" },
    { week: 10, source: "agent-rules", error: "timeout", times: 2 },
    { week: 12, source: "bench-ledger", error: "timeout" },
    { week: 14, source: "tariff-watch", error: "rate_limit" },
    { week: 15, source: "court-contract", error: "dns" },
    { week: 16, source: "orbit-changelog", error: "rate_limit", times: 2 },
    { week: 18, source: "connector-registry", error: "timeout" },
    { week: 20, source: "agent-rules", error: "timeout", times: 3 },
    { week: 21, source: "harbor-status", error: "dns" },
    { week: 23, source: "lattice-lab", error: "timeout" },
    { week: 25, source: "price-board", error: "rate_limit" },
    { week: 26, source: "orbit-changelog", error: "timeout" },
    { week: 28, source: "tariff-watch", error: "dns", times: 2 },
    { week: 29, source: "zhinengti", error: "rate_limit" },
  ],
  repairs: [2, 8, 13, 19, 22, 27],
  inventedQuotes: [6, 11, 17],
  lostAnswers: [
    { week: 11, of: "send" },
    { week: 17, of: "publish", refusedMinutes: 11 },
    { week: 24, of: "publish" },
    { week: 30, of: "publish" },
    { week: 30, of: "send" },
  ],
  compensations: [24],
  minutes: { content: [6, 7, 9, 5, 7, 8, 7, 4, 11, 7], send: [2, 3, 4, 3, 2, 3, 5, 3, 1, 3] },
};
