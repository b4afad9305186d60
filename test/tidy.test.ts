import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { parseSync } from "@swc/core";
import { describe, expect, test } from "vitest";

/**
 * The style rules that no linter of ours has, as a test. Layering is checked by dependency-cruiser (.dependency-cruiser.cjs).
 * Sources are parsed, so that a comment or a text that mentions a forbidden word is no finding.
 */
const root = path.resolve(import.meta.dirname, "..");
const PRODUCT = ["main", "db", "preload", "renderer"];
const MAX_LINES = 400;
const LONG_LINES = 250;
const IGNORED = new Set(["node_modules", "out", "dist", ".git", "samples"]);

function filesBelow(folder: string): string[] {
  return readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const at = path.posix.join(folder, entry.name);
    if (entry.isDirectory()) return IGNORED.has(entry.name) ? [] : filesBelow(at);
    return entry.isFile() ? [at] : [];
  });
}

const everything = filesBelow(".");
const read = (file: string) => readFileSync(path.join(root, file), "utf8");
const inFolders = (folders: string[]) =>
  everything.filter((file) => folders.includes(file.split("/")[0] ?? "") && /\.tsx?$/.test(file));
const product = inFolders(PRODUCT);
const allTypeScript = inFolders([...PRODUCT, "test"]);

// ------------------------------------------------------------------------------------------------ a small tree walker

interface Node {
  type: string;
  span?: { start: number; end: number };
  [key: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";

function* walk(value: unknown): Generator<Node> {
  if (Array.isArray(value)) {
    for (const item of value) yield* walk(item);
    return;
  }
  if (typeof value !== "object" || value === null) return;
  if (isNode(value)) yield value;
  for (const [key, child] of Object.entries(value)) if (key !== "span") yield* walk(child);
}

const nameOf = (node: unknown): string | undefined =>
  isNode(node) && node.type === "Identifier" ? String(node.value) : undefined;

/** `a.b` as "a.b"; anything else as undefined. */
function dotted(node: Node): string | undefined {
  if (node.type !== "MemberExpression") return undefined;
  const [object, property] = [nameOf(node.object), nameOf(node.property)];
  return object && property ? `${object}.${property}` : undefined;
}

interface Finding {
  line: number;
  what: string;
}

/** The parser counts bytes from a base of its own; the semicolon in front makes that base the start of the file. */
function find(file: string, judge: (node: Node) => string | undefined): Finding[] {
  const bytes = Buffer.from(`;${read(file)}`);
  const tree = parseSync(bytes.toString(), { syntax: "typescript", tsx: file.endsWith("x"), target: "es2022" });
  const lineOf = (node: Node) => {
    const before = bytes.subarray(0, Math.max(0, (node.span?.start ?? 0) - tree.span.start));
    return before.toString().split("\n").length;
  };
  return [...walk(tree.body)].flatMap((node) => {
    const what = judge(node);
    return what === undefined ? [] : [{ line: lineOf(node), what }];
  });
}

const listed = (files: string[], judge: (node: Node) => string | undefined, advice: (what: string) => string) =>
  files.flatMap((file) => find(file, judge).map(({ line, what }) => `${file}:${line} ${what}: ${advice(what)}`));

// ------------------------------------------------------------------------------------------- time, chance and the net

const ADVICE = {
  time: "take `now` as an argument, or the Clock port of main/domain/ports (main/adapters/clock.ts implements it)",
  timer: "use sleep or timeout of the Clock port of main/domain/ports (main/adapters/clock.ts implements it)",
  chance: "take the Randomness port of main/domain/ports, implemented in main/adapters",
  net: "go through a port of main/domain/ports; outside systems are reached in main/adapters only",
};
const MEMBERS: Record<string, keyof typeof ADVICE> = {
  "Date.now": "time",
  "performance.now": "time",
  "process.hrtime": "time",
  "Math.random": "chance",
  "crypto.randomUUID": "chance",
  "crypto.getRandomValues": "chance",
  "crypto.randomBytes": "chance",
  "AbortSignal.timeout": "timer",
  "globalThis.fetch": "net",
  "window.fetch": "net",
};
const NAMES: Record<string, keyof typeof ADVICE> = {
  randomUUID: "chance",
  randomBytes: "chance",
  setTimeout: "timer",
  setInterval: "timer",
  fetch: "net",
};

function impurity(node: Node): { what: string; kind: keyof typeof ADVICE } | undefined {
  const member = dotted(node);
  if (member && MEMBERS[member]) return { what: member, kind: MEMBERS[member] };
  if (node.type === "NewExpression" && nameOf(node.callee) === "Date") {
    const given = node.arguments;
    return Array.isArray(given) && given.length > 0 ? undefined : { what: "new Date()", kind: "time" };
  }
  // Called, or imported under its own name; a method that happens to be called `fetch` is neither.
  const name =
    node.type === "CallExpression" || node.type === "ImportSpecifier" ? (node.callee ?? node.local) : undefined;
  const called = nameOf(name);
  return called && Object.hasOwn(NAMES, called) ? { what: called, kind: NAMES[called] ?? "net" } : undefined;
}

/** Where the outside is met; cli.ts is a terminal program. */
const OUTSIDE = /^main\/(adapters|shell|sandbox)\/|^main\/cli\.ts$/;
/** In the page a timer and a stopwatch may only move what is seen; what time it is, the main process says. */
const isViewTimer = (file: string, hit: { what: string; kind: string }) =>
  file.startsWith("renderer/") && (hit.kind === "timer" || hit.what === "performance.now");

describe("tidy", () => {
  test("time, chance and the network are reached only where the outside is met", () => {
    const found = product
      .filter((file) => !OUTSIDE.test(file))
      .flatMap((file) => {
        const kinds = new Map<string, keyof typeof ADVICE>();
        const findings = find(file, (node) => {
          const hit = impurity(node);
          if (!hit || isViewTimer(file, hit)) return undefined;
          kinds.set(hit.what, hit.kind);
          return hit.what;
        });
        return findings.map(({ line, what }) => `${file}:${line} ${what}: ${ADVICE[kinds.get(what) ?? "net"]}`);
      });
    expect(found).toEqual([]);
  });

  test("no `any`, and no comment that switches the compiler or the linter off", () => {
    // Tests answer to the linter alone, which takes a reason: a stub's answer may honestly be of any shape.
    const any = listed(
      product,
      (node) => (node.type === "TsKeywordType" && node.kind === "any" ? "any" : undefined),
      () => "use `unknown` and narrow it, or name the type",
    );
    const marks = new RegExp(`${["@ts", "(ignore|nocheck|expect-error)"].join("-")}|${["biome", "ignore"].join("-")}`);
    const comments = allTypeScript.flatMap((file) =>
      read(file)
        .split("\n")
        .flatMap((text, index) => {
          const match = marks.exec(text)?.[0];
          // The linter may be told why it is wrong in one place: `… : reason`.
          const isReasoned = match?.startsWith("biome") && /biome-ignore \S+: \S.{10,}/.test(text);
          return match && !isReasoned ? [`${file}:${index + 1} ${match}: mend the cause, or give the reason`] : [];
        }),
    );
    expect([...any, ...comments]).toEqual([]);
  });

  test("no error is caught and dropped", () => {
    const found = listed(
      allTypeScript,
      (node) => {
        const body = node.body;
        const isEmpty =
          node.type === "CatchClause" && isNode(body) && Array.isArray(body.stmts) && body.stmts.length === 0;
        return isEmpty ? "empty catch" : undefined;
      },
      () => "return a value of main/domain/errors, or let it through; a Bug is thrown",
    );
    const promises = listed(
      product,
      (node) => {
        const callee = node.callee;
        const isCatch = node.type === "CallExpression" && isNode(callee) && nameOf(callee.property) === "catch";
        const given = Array.isArray(node.arguments)
          ? (node.arguments[0] as { expression?: Node } | undefined)
          : undefined;
        const body = given?.expression?.body;
        return isCatch && isNode(body) && Array.isArray(body.stmts) && body.stmts.length === 0
          ? "empty .catch()"
          : undefined;
      },
      () => "turn the failure into a value of main/domain/errors",
    );
    expect([...found, ...promises]).toEqual([]);
  });

  test("only renderer/bridge.ts touches the bridge", () => {
    const found = listed(
      product.filter((file) => file.startsWith("renderer/") && !/^renderer\/bridge(\.|\/)/.test(file)),
      (node) => (["window.api", "globalThis.api"].includes(dotted(node) ?? "") ? dotted(node) : undefined),
      () => "import from renderer/bridge",
    );
    expect(found).toEqual([]);
  });

  test(`no source file is longer than ${MAX_LINES} lines`, () => {
    // Locales are lists of sentences; their length says nothing about their clarity.
    const sized = product
      .filter((file) => !file.startsWith("renderer/locales/"))
      .map((file) => ({ file, lines: read(file).split("\n").length - 1 }))
      .sort((a, b) => b.lines - a.lines);
    const long = sized.filter(({ lines }) => lines > LONG_LINES);
    if (long.length > 0)
      console.log(`over ${LONG_LINES} lines: ${long.map(({ file, lines }) => `${file} (${lines})`).join(", ")}`);
    const over = sized.filter(({ lines }) => lines > MAX_LINES);
    expect(over.map(({ file, lines }) => `${file} has ${lines} lines: split it by what it does`)).toEqual([]);
  });

  test("file names say what a file exports", () => {
    const vague = product.filter((file) => /(^|[/.-])(utils?|helpers?|manager|misc|common)([.-]|\/|$)/i.test(file));
    const unlike = product.filter((file) => !file.startsWith("renderer/") && !/^[a-z0-9./-]+$/.test(file));
    expect([
      ...vague.map((file) => `${file}: name it after the one thing it exports`),
      ...unlike.map((file) => `${file}: kebab-case, please`),
    ]).toEqual([]);
  });

  test("nothing reads or mentions what lies outside the project's folder", () => {
    const outside = new RegExp(["\\.\\./shared", "\\.\\./\\.library", "/work/"].map((text) => `(${text})`).join("|"));
    const self = "test/tidy.test.ts";
    const texts = everything.filter((file) =>
      /\.(tsx?|m?js|cjs|json|ya?ml|md|sql|html|css|sh)$|^\.[a-z]+|\/run$/.test(file),
    );
    const found = texts
      .filter((file) => file !== self)
      .flatMap((file) =>
        read(file)
          .split("\n")
          .flatMap((line, index) => {
            const match = outside.exec(line)?.[0];
            return match ? [`${file}:${index + 1} mentions ${match}: the project stands alone`] : [];
          }),
      );
    expect(found).toEqual([]);
  });
});
