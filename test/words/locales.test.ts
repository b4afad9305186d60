import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { parseSync } from "@swc/core";
import { describe, expect, it } from "vitest";
import { PREFLIGHT_GAPS } from "../../main/domain/preflight";
import { UNMET_CODES } from "../../main/domain/unmet";
import { briefingDefinition } from "../../main/pipeline/briefing/definition";
import { faultsByKind } from "../../main/sandbox/faults";
import { en } from "../../renderer/locales/en";
import { zhCN } from "../../renderer/locales/zh-CN";
import { FAULT_GROUPS, faultWordCode } from "../../renderer/screens/sandbox/fault-list";

type Tree = { [key: string]: string | Tree };

function flat(tree: Tree, prefix = ""): [string, string][] {
  return Object.entries(tree).flatMap(([key, value]) =>
    typeof value === "string" ? [[`${prefix}${key}`, value] as [string, string]] : flat(value, `${prefix}${key}.`),
  );
}

const english = new Map(flat(en));
const chinese = new Map(flat(zhCN as unknown as Tree));
const variables = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map((match) => match[1]).sort();
const isPlural = (key: string) => /_(one|other)$/.test(key);

describe("the two languages", () => {
  it("have the same keys; Chinese has one plural form", () => {
    expect([...chinese.keys()].sort()).toEqual([...english.keys()].filter((key) => !key.endsWith("_one")).sort());
  });

  it("put the same values into each sentence", () => {
    for (const [key, text] of chinese) {
      const allowed = new Set(variables(english.get(key) ?? ""));
      for (const name of variables(text)) expect([key, allowed.has(name)]).toEqual([key, true]);
      if (!isPlural(key)) expect([key, variables(text)]).toEqual([key, variables(english.get(key) ?? "")]);
    }
  });

  it("leave nothing empty", () => {
    for (const [key, text] of [...english, ...chinese]) expect([key, text.trim() !== ""]).toEqual([key, true]);
  });

  it("use full-width punctuation after Chinese characters", () => {
    for (const [key, text] of chinese)
      expect([key, /[\u4e00-\u9fff]\s*[,.;:!?()]/.exec(text)?.[0]]).toEqual([key, undefined]);
  });

  it("write no key with a dot, which would look into another family", () => {
    const walk = (tree: Tree): string[] =>
      Object.entries(tree).flatMap(([key, value]) => [key, ...(typeof value === "string" ? [] : walk(value))]);
    expect(walk(en).filter((key) => key.includes("."))).toEqual([]);
  });
});

describe("every code of the domain has words", () => {
  const has = (family: string, codes: readonly string[]) => codes.filter((code) => !english.has(`${family}.${code}`));

  it("gaps of the pre-flight", () => expect(has("health.preflight.gap", PREFLIGHT_GAPS)).toEqual([]));
  it("unmet conditions", () => expect(has("unmet", UNMET_CODES)).toEqual([]));
  it("states", () => {
    expect(has("state", briefingDefinition.states)).toEqual([]);
    expect(has("stateShort", briefingDefinition.states)).toEqual([]);
  });
  it("events of the table", () =>
    expect(
      has(
        "event",
        briefingDefinition.transitions.map((rule) => rule.event),
      ),
    ).toEqual([]));
  it("events that the domain drafts", () => {
    const folder = path.resolve(import.meta.dirname, "../../main/domain");
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
    const text = files.map((file) => readFileSync(path.join(folder, file), "utf8")).join("\n");
    const drafted = [...text.matchAll(/draftEvent\("(\w+)"/g)].map((match) => match[1] as string);
    expect(drafted.length).toBeGreaterThan(10);
    expect(has("event", drafted)).toEqual([]);
  });
  it("reasons of a block, what to do about each, and the evidence asked for", () => {
    const reasons = Object.keys(briefingDefinition.blocked);
    expect(has("blockedReason", reasons)).toEqual([]);
    expect(has("blockedNext", reasons)).toEqual([]);
    expect(
      has(
        "run.evidence",
        Object.values(briefingDefinition.blocked).flatMap((rule) => rule?.evidenceNeeded ?? []),
      ),
    ).toEqual([]);
    expect(
      has(
        "owner",
        Object.values(briefingDefinition.blocked).map((rule) => rule?.owner ?? ""),
      ),
    ).toEqual([]);
  });
  it("operations", () => {
    expect(
      has("operationState", [
        "prepared",
        "request_sent",
        "unknown",
        "confirmed",
        "rejected",
        "cancelled",
        "not_found",
        "conflict",
        "locked",
      ]),
    ).toEqual([]);
    expect(has("operationPhase", ["create", "update", "publish", "trigger", "deliver", "undo"])).toEqual([]);
    expect(
      has("lookVerdict", ["confirmed", "absent_yet", "not_found", "conflict", "duplicate", "failed", "locked"]),
    ).toEqual([]);
  });
  it("faults of the sandbox, each one that the sandbox can really do", () => {
    const offered = FAULT_GROUPS.flatMap((group) => [...group.faults]);
    expect(has("sandbox.fault", offered.map(faultWordCode))).toEqual([]);
    for (const { on, fault } of offered)
      expect([on, fault, faultsByKind[on].includes(fault)]).toEqual([on, fault, true]);
  });
});

interface Node {
  type: string;
  [key: string]: unknown;
}

function* walk(value: unknown): Generator<Node> {
  if (Array.isArray(value)) for (const item of value) yield* walk(item);
  else if (typeof value === "object" && value !== null) {
    if ("type" in value && typeof value.type === "string") yield value as Node;
    for (const child of Object.values(value)) yield* walk(child);
  }
}

/** Attributes whose value a person reads or hears. */
const SPOKEN = ["aria-label", "title", "placeholder", "label", "description", "alt", "error", "confirmLabel", "what"];

describe("the screens", () => {
  const root = path.resolve(import.meta.dirname, "../../renderer");
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".tsx"));

  it("contain no text of their own: every word comes from the locales", () => {
    const found = files.flatMap((file) => {
      const tree = parseSync(readFileSync(path.join(root, file), "utf8"), {
        syntax: "typescript",
        tsx: true,
        target: "es2022",
      });
      return [...walk(tree.body)].flatMap((node) => {
        if (node.type === "JSXText" && /\p{L}{2,}/u.test(String(node["value"])))
          return [`${file}: ${String(node["value"]).trim()}`];
        if (node.type !== "JSXAttribute") return [];
        const name = (node["name"] as { value?: string }).value ?? "";
        const value = node["value"] as { type?: string; value?: string } | null;
        return SPOKEN.includes(name) && value?.type === "StringLiteral"
          ? [`${file}: ${name}="${value.value ?? ""}"`]
          : [];
      });
    });
    // Names of keys on a keyboard are the same in every language.
    expect(found.filter((text) => !/Ctrl K$/.test(text))).toEqual([]);
  });

  it("touch the bridge in one file only", () => {
    const all = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((file) => /\.tsx?$/.test(file));
    expect(
      all.filter((file) => /window\.api/.test(readFileSync(path.join(root, file), "utf8")) && file !== "global.d.ts"),
    ).toEqual(["bridge.ts"]);
  });
});
