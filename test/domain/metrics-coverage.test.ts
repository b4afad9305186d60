import { expect, test } from "vitest";
import { cmsSandboxManifest } from "../../main/adapters/cms/sandbox";
import { mailSandboxManifest } from "../../main/adapters/mail/sandbox";
import { messagesSandboxManifest } from "../../main/adapters/services/messages";
import { type ExternalWrite, idempotencyCoverage, mayRetryByItself } from "../../main/domain/metrics-coverage";
import type { AdapterManifest } from "../../main/domain/ports";
import { briefingWrites } from "../../main/pipeline/briefing/writes";

const MANIFESTS: Readonly<Record<string, AdapterManifest>> = {
  cms: cmsSandboxManifest,
  mail: mailSandboxManifest,
  messages: messagesSandboxManifest,
  // A remote that answers no questions, but refuses a key that it has had.
  payments: { ...messagesSandboxManifest, key: { where: "header Idempotency-Key", unique: true } },
};
const manifestOf = (adapter: string): AdapterManifest => {
  const found = MANIFESTS[adapter];
  if (!found) throw new Error(adapter);
  return found;
};
const writes = (...adapters: string[]): ExternalWrite[] =>
  adapters.map((adapter) => ({ step: adapter === "cms" ? "publishing" : "telling", adapter, phase: "create" }));

test("a write is covered where the remote heeds its key or can be asked by it, told for all and step by step", () => {
  const found = idempotencyCoverage(writes("cms", "messages", "payments", "mail"), manifestOf);
  expect(found).toEqual({
    ...{ covered: 3, of: 4, share: 3 / 4 },
    steps: [
      { step: "publishing", covered: 1, of: 1, share: 1, uncovered: [] },
      { step: "telling", covered: 2, of: 3, share: 2 / 3, uncovered: ["messages/create"] },
    ],
  });
});

test("retried by itself from four of five on; three of four is too few, and nothing to write holds nothing back", () => {
  const may = (...adapters: string[]) => mayRetryByItself(idempotencyCoverage(writes(...adapters), manifestOf));
  expect(may("cms", "cms", "cms", "cms", "messages")).toBe(true);
  expect(may("cms", "cms", "cms", "messages")).toBe(false);
  expect(may()).toBe(true);
});

test("the briefing is covered whole", () => {
  const ports = { cms: { name: "cms" }, mail: { name: "mail" } } as Parameters<typeof briefingWrites>[0];
  expect(idempotencyCoverage(briefingWrites(ports), manifestOf)).toMatchObject({ covered: 5, of: 5, share: 1 });
});
