import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach } from "vitest";
import { type Sandbox, type SandboxOptions, startSandbox } from "../../main/sandbox/start-sandbox";

/** A sandbox of one test, with the few calls a test makes of it. Everything is closed and removed afterwards. */

export const samplesDir = fileURLToPath(new URL("../../main/sandbox/samples", import.meta.url));
export const W30 = "2026-07-20T01:14:00.000Z";

const toClose: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of toClose.splice(0).reverse()) await close();
});

/** Has something done when the test is over. */
export function later(close: () => Promise<void> | void): void {
  toClose.push(close);
}

export function temporaryDir(): string {
  const dir = mkdtempSync(join(tmpdir(), "imprimatur-sandbox-"));
  later(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

export async function sandbox(options: Partial<SandboxOptions> = {}): Promise<Sandbox> {
  const started = await startSandbox({ dir: options.dir ?? temporaryDir(), samplesDir, ...options });
  let isOpen = true;
  const close = async (): Promise<void> => {
    if (isOpen) await started.close();
    isOpen = false;
  };
  later(close);
  return { ...started, close };
}

export interface Reply {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the server said
  body: any;
}

/** One call, with the sandbox's token, at a time. A call that gets no answer throws. */
export async function call(
  method: string,
  url: string,
  body?: unknown,
  clock: string = W30,
  more: RequestInit = {},
): Promise<Reply> {
  const headers: Record<string, string> = { Authorization: "Bearer sandbox", "Imprimatur-Clock": clock };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const answer = await fetch(url, {
    method,
    headers: { ...headers, ...(more.headers as Record<string, string> | undefined) },
    body: body === undefined ? undefined : JSON.stringify(body),
    redirect: "manual",
    signal: more.signal ?? null,
  });
  const text = await answer.text();
  const isJson = (answer.headers.get("content-type") ?? "").includes("json");
  let parsed: unknown = null;
  if (isJson) {
    try {
      parsed = JSON.parse(text);
    } catch {
      parsed = null;
    }
  }
  return { status: answer.status, headers: answer.headers, text, body: parsed };
}

/** `W30` and some milliseconds. */
export const clockAt = (ms: number): string => new Date(Date.parse(W30) + ms).toISOString();

export function post(more: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    key: "publish:weekly-briefing:2026-W30:zh-CN:v1:aa:create",
    intentKey: "publish:weekly-briefing:2026-W30:zh-CN:v1:aa",
    slug: "weekly-briefing-2026-w30-zh-cn",
    title: "2026-W30",
    language: "zh-CN",
    html: '<!doctype html><title>W30</title><p>First</p><p><a href="https://a.example/">A</a> <a href="https://b.example/">B</a></p>',
    contentHash: "a".repeat(64),
    intentHash: "b".repeat(64),
    taskId: "task-1",
    status: "published",
    ...more,
  };
}

export function campaign(count = 63, more: Record<string, unknown> = {}): Record<string, unknown> {
  const recipients = Array.from({ length: count }, (_, index) => ({
    id: `r${String(index + 1).padStart(3, "0")}`,
    address: `reader${index + 1}@example.org`,
  }));
  return {
    key: "send:weekly-briefing:2026-W30:zh-CN:v1:x:create",
    intentKey: "send:weekly-briefing:2026-W30:zh-CN:v1:x",
    name: "weekly-briefing-2026-w30-zh-cn",
    subject: "W30",
    text: "text",
    html: "<p>text</p>",
    bodyHash: "c".repeat(64),
    audienceHash: "d".repeat(64),
    intentHash: "e".repeat(64),
    taskId: "task-1",
    pageUrl: "http://127.0.0.1/site/x",
    recipients,
    ...more,
  };
}

export const fault = (base: string, rule: Record<string, unknown>): Promise<Reply> =>
  call("POST", `${base}/control/faults`, rule);

export const records = async (base: string, clock?: string): Promise<Reply["body"]> =>
  (await call("GET", `${base}/control/records`, undefined, clock)).body;
