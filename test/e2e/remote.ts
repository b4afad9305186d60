import path from "node:path";
import type { Page } from "@playwright/test";
import Database from "better-sqlite3";
import { expect } from "./app";

/** What the remotes say of themselves (main/sandbox/PROTOCOL.md): asked over HTTP, past the app. */
export interface RemoteRecords {
  cms: {
    createCalls: number;
    updateCalls: number;
    statusCalls: number;
    objects: { id: number; slug: string; status: string; contentHash: string }[];
  };
  mail: {
    createCalls: number;
    triggerCalls: number;
    campaigns: { id: number; status: string; recipientCount: number; bodyHash: string }[];
    mailings: { campaignId: number; recipientId: string }[];
  };
}

/** The address as the sandbox screen shows it. */
export async function remoteUrl(win: Page): Promise<string> {
  const line = await win.getByRole("button", { name: "Copy Address of the sandbox" }).textContent();
  const url = /http:\/\/[\w.:]+/.exec(line ?? "")?.[0];
  if (url === undefined) throw new Error(`the sandbox screen shows no address, but “${line}”`);
  return url;
}

export async function remoteRecords(url: string): Promise<RemoteRecords> {
  const answer = await fetch(`${url}/control/records`);
  expect(answer.status).toBe(200);
  return (await answer.json()) as RemoteRecords;
}

/** A fault that the screen does not offer, such as a website that asks to be left alone for a while. */
export async function addFault(url: string, rule: { on: string; fault: string; times?: number; params?: object }) {
  const answer = await fetch(`${url}/control/faults`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(rule),
  });
  expect(answer.ok, await answer.text()).toBe(true);
}

export const journalPath = (dataDir: string) => path.join(dataDir, "sandbox/journal.db");

/** Asks the journal's file, read-only. Of a workspace that is open the answer may be a moment old. */
export function fromJournal<T>(dataDir: string, sql: string, ...values: unknown[]): T[] {
  const database = new Database(journalPath(dataDir), { readonly: true, fileMustExist: true });
  try {
    return database.prepare<unknown[], T>(sql).all(...values);
  } finally {
    database.close();
  }
}

export function countEvents(dataDir: string, type: string): number {
  return fromJournal<{ n: number }>(dataDir, "SELECT count(*) AS n FROM event WHERE type = ?", type)[0]?.n ?? 0;
}
