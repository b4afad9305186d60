import { z } from "zod";

/** What a rule can be about: the kinds of request the sandbox takes. */
export const requestKinds = [
  "cms.create",
  "cms.update",
  "cms.status",
  "cms.query",
  "mail.create",
  "mail.trigger",
  "mail.status",
  "mail.query",
  "mail.report",
  "member.status",
  "voucher.status",
  "message.send",
  "service.query",
  "site.read",
  "source.read",
  "link.read",
] as const;
export type RequestKind = (typeof requestKinds)[number];

/** Faults of the line or of the server's mood: they make sense everywhere. */
const anywhere = [
  "drop-before-commit",
  "hang-before-commit",
  "drop-after-commit",
  "hang-after-commit",
  "cut-short",
  "delay",
  "status",
] as const;
const onWrites = [...anywhere, "commit-later", "status-after-commit", "unparsable", "auth"] as const;
const onCreates = [...onWrites, "duplicate", "conflict-same", "conflict-other"] as const;
const onQueries = [...anywhere, "unparsable", "auth", "stale", "wrong-body"] as const;

/** Which faults each kind of request can suffer; any other pair is refused, or a test would wait for nothing. */
export const faultsByKind: Readonly<Record<RequestKind, readonly string[]>> = {
  "cms.create": onCreates,
  "cms.update": onWrites,
  "cms.status": onWrites,
  "cms.query": onQueries,
  "mail.create": onCreates,
  "mail.trigger": [...onWrites, "duplicate"],
  "mail.status": onWrites,
  "mail.query": onQueries,
  "mail.report": onQueries,
  "member.status": onWrites,
  "voucher.status": onWrites,
  "message.send": onWrites,
  "service.query": [...anywhere, "unparsable", "auth"],
  "site.read": [...anywhere, "stale", "wrong-body", "missing-link"],
  "source.read": [...anywhere, "wrong-body"],
  "link.read": anywhere,
};

export const faultNames = [...onCreates, "stale", "wrong-body", "missing-link"] as const;
export type FaultName = (typeof faultNames)[number];

const paramsSchema = z.strictObject({
  /** source.read: only this file of the folder. */
  file: z.string().optional(),
  /** site.read: only this slug. */
  slug: z.string().optional(),
  /** link.read: only this path, for example `/articles/orbit/batch-window`. */
  path: z.string().optional(),
  /** delay: real milliseconds. commit-later: milliseconds of the clock that requests carry. */
  ms: z.int().min(0).optional(),
  status: z.int().min(200).max(599).optional(),
  retryAfterSeconds: z.int().min(0).optional(),
  /** Body of a `status` answer, sent as it is. */
  body: z.string().optional(),
  /** wrong-body: replace this text by `to`, instead of the default change. */
  from: z.string().min(1).optional(),
  to: z.string().optional(),
});
export type FaultParams = z.infer<typeof paramsSchema>;

export const faultInputSchema = z
  .strictObject({
    on: z.enum(requestKinds),
    fault: z.enum(faultNames),
    /** How many matching requests it hits. */
    times: z.int().min(1).default(1),
    /** How many matching requests it lets pass first. */
    skip: z.int().min(0).default(0),
    params: paramsSchema.default({}),
  })
  .refine((rule) => faultsByKind[rule.on].includes(rule.fault), { error: "this fault cannot happen to this request" });

export interface FaultRule extends z.infer<typeof faultInputSchema> {
  id: number;
  skipped: number;
  fired: number;
}

/** What one request is, for choosing the rule that hits it. */
export interface FaultTarget {
  on: RequestKind;
  file?: string;
  slug?: string;
  path?: string;
}

/** What the rules say to one request: which of them let it pass, and which one, if any, hits it. */
export function chooseFault(
  rules: readonly FaultRule[],
  target: FaultTarget,
): { passed: number[]; hit: FaultRule | null } {
  const passed: number[] = [];
  for (const rule of rules) {
    if (!matches(rule, target) || rule.fired >= rule.times) continue;
    if (rule.skipped < rule.skip) passed.push(rule.id);
    else return { passed, hit: rule };
  }
  return { passed, hit: null };
}

function matches(rule: FaultRule, target: FaultTarget): boolean {
  if (rule.on !== target.on) return false;
  const { file, slug, path } = rule.params;
  if (file !== undefined && file !== target.file) return false;
  if (slug !== undefined && slug !== target.slug) return false;
  return path === undefined || path === target.path;
}
