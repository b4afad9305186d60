import { z } from "zod";
import type { SourceConfig } from "../domain/ports";
import { httpCall } from "./http-call";
import { joinUrl } from "./sandbox-protocol";

const remoteId = z.union([z.string(), z.number()]).transform(String);
const text = z.string().catch("");
/** What a server need not count. */
const optionalCount = z.number().catch(0);

/** What the second pipeline writes to; a server need not have it. */
const Services = z.object({
  statusCalls: optionalCount,
  voucherCalls: optionalCount,
  messageCalls: optionalCount,
  members: z.array(
    z.object({ id: z.string(), status: text, vouchers: z.array(z.object({ id: z.string(), status: text })) }),
  ),
  messages: z.array(z.object({ id: remoteId, key: text, memberId: text })),
});
export type ServicesRecords = z.infer<typeof Services>;

/** The remote's own records (sandbox/PROTOCOL.md): what tests and people ask instead of us. */
const Records = z.object({
  cms: z.object({
    createCalls: z.number(),
    updateCalls: optionalCount,
    statusCalls: optionalCount,
    queries: optionalCount,
    objects: z.array(z.object({ id: remoteId, key: text, slug: text, status: text, contentHash: text })),
  }),
  mail: z.object({
    createCalls: z.number(),
    triggerCalls: z.number(),
    queries: optionalCount,
    reports: optionalCount,
    campaigns: z.array(z.object({ id: remoteId, key: text, name: text, status: text })),
    mailings: z.array(z.object({ campaignId: remoteId, recipientId: z.string() })),
  }),
  services: Services.nullable().catch(null),
  site: z.object({ reads: optionalCount }).catch({ reads: 0 }),
  links: z.object({ reads: optionalCount }).catch({ reads: 0 }),
  sources: z.object({ reads: z.record(z.string(), z.number()) }).catch({ reads: {} }),
});
export type SandboxRecords = z.infer<typeof Records>;

const Faults = z.object({
  rules: z.array(z.object({ id: remoteId, on: z.string(), fault: z.string(), times: z.number(), fired: z.number() })),
});
export type SandboxFault = z.infer<typeof Faults>["rules"][number];

const Config = z.looseObject({ staleProbes: z.number(), bounces: z.number() });
export type SandboxSettings = z.infer<typeof Config>;

const Withheld = z.object({ count: z.number() });
const Sources = z.array(
  z.object({
    id: z.string().min(1).max(100),
    title: z.string(),
    url: z.string(),
    format: z.enum(["rss", "atom", "json-feed", "html", "auto"]).catch("auto"),
    licence: z.string().catch("unknown"),
    required: z.boolean().catch(false),
    baseUrl: z.string().optional().catch(undefined),
  }),
);

/** How long the control answers may take (ms): it is on the same machine and decides nothing. */
const LIMIT_MS = 5_000;

/** The sandbox's side door for people, demos and tests. The engine never uses it. Null: not offered by this server. */
export class SandboxControl {
  constructor(readonly url: string) {}

  records(): Promise<SandboxRecords | null> {
    return this.ask("GET", "/control/records", Records);
  }

  async withheld(): Promise<number> {
    return (await this.ask("GET", "/control/withheld", Withheld))?.count ?? 0;
  }

  async faults(): Promise<readonly SandboxFault[] | null> {
    return (await this.ask("GET", "/control/faults", Faults))?.rules ?? null;
  }

  addFault(rule: { on: string; fault: string; times?: number; skip?: number; params?: object }): Promise<unknown> {
    return this.ask("POST", "/control/faults", z.unknown(), rule);
  }

  clearFaults(): Promise<unknown> {
    return this.ask("DELETE", "/control/faults", z.unknown());
  }

  settings(): Promise<SandboxSettings | null> {
    return this.ask("GET", "/control/config", Config);
  }

  configure(change: Readonly<Record<string, number | boolean | string>>): Promise<unknown> {
    return this.ask("PUT", "/control/config", z.unknown(), change);
  }

  sources(): Promise<readonly SourceConfig[] | null> {
    return this.ask("GET", "/sources/index.json", Sources);
  }

  private async ask<S extends z.ZodType>(
    method: "GET" | "POST" | "PUT" | "DELETE",
    path: string,
    schema: S,
    body?: unknown,
  ): Promise<z.infer<S> | null> {
    const signal = AbortSignal.timeout(LIMIT_MS);
    const bytes = body === undefined ? undefined : new TextEncoder().encode(JSON.stringify(body));
    const headers: Record<string, string> = bytes === undefined ? {} : { "content-type": "application/json" };
    const answer = await httpCall({
      method,
      url: joinUrl(this.url, path),
      signal,
      headers,
      ...(bytes === undefined ? {} : { body: bytes }),
    });
    if (answer.kind === "failed" || answer.httpStatus >= 300) return null;
    const parsed = schema.safeParse(answer.bytes.byteLength === 0 ? null : parseJson(answer.bytes));
    return parsed.success ? parsed.data : null;
  }
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    // Not JSON is "not offered": nothing here decides about the outside.
    return null;
  }
}
