import { describe, expect, it } from "vitest";
import type { z } from "zod";
import type { LogEntry } from "../../main/adapters/debug-log";
import type { Handlers } from "../../main/shell/handlers";
import { answer, IpcRefusal, isOurs, pushable } from "../../main/shell/ipc-answer";
import type { Bootstrap } from "../../preload/contract";

const SECRET = "reader@example.org";
const bootstrap: z.infer<typeof Bootstrap> = {
  version: "1",
  runtime: "test",
  preferences: { language: "en", theme: "system" },
  workspace: null,
  ledger: { state: "absent", done: 0, of: 0, failed: null },
  problem: null,
};

function ask(
  channel: keyof Handlers,
  raw: unknown,
  handlers: Partial<Record<keyof Handlers, (input: never) => unknown>>,
) {
  const reported: LogEntry[] = [];
  const options = {
    handlers: Promise.resolve(handlers as Handlers),
    report: (entry: LogEntry) => void reported.push(entry),
  };
  return { reply: answer(channel, raw, options), reported };
}

describe("who may ask", () => {
  const ours = { isOurWindow: true, isTopFrame: true, frameUrl: "app://imprimatur/index.html" };
  it("is the top frame of our own window, showing our own page", () => {
    expect(isOurs(ours)).toBe(true);
    expect(isOurs({ ...ours, isOurWindow: false })).toBe(false);
    expect(isOurs({ ...ours, isTopFrame: false })).toBe(false);
    expect(isOurs({ ...ours, frameUrl: null })).toBe(false);
    expect(isOurs({ ...ours, frameUrl: "app://imprimatur.evil/" })).toBe(false);
    expect(isOurs({ ...ours, frameUrl: `app://preview/${"a".repeat(64)}` })).toBe(false);
    expect(isOurs({ ...ours, frameUrl: "about:blank" })).toBe(false);
  });
});

describe("answering a question", () => {
  it("hands the parsed question on, and sends the parsed answer back", async () => {
    const seen: unknown[] = [];
    const { reply } = ask(
      "app.bootstrap",
      { extra: 1 },
      {
        "app.bootstrap": (input: unknown) => {
          seen.push(input);
          return { ...bootstrap, token: SECRET };
        },
      },
    );
    expect(await reply).toEqual(bootstrap);
    expect(seen).toEqual([{}]);
  });

  it("names the fields of a question at fault, and neither their values nor a stack", async () => {
    const input = { taskId: "", expectedVersion: SECRET, reason: "x" };
    const { reply, reported } = ask("contentReview.reject", input, {});
    const error = await reply.catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(IpcRefusal);
    expect(String(error)).toBe("IpcRefusal: bad_input: taskId, expectedVersion");
    expect((error as Error).stack).not.toContain(".ts:");
    expect(JSON.stringify(reported)).not.toContain(SECRET);
    await expect(ask("edition.start", undefined, {}).reply).rejects.toThrow("bad_input: input");
  });

  it("never lets the text of an error out, nor into the log", async () => {
    const { reply, reported } = ask(
      "today.get",
      {},
      {
        "today.get": () => {
          throw new TypeError(`cannot mail ${SECRET}`);
        },
      },
    );
    await expect(reply).rejects.toThrow(/^failed$/);
    expect(reported).toHaveLength(1);
    expect(reported[0]).toMatchObject({ code: "ipc_failed", channel: "today.get", error: { name: "TypeError" } });
    expect(reported[0]?.error?.at.length).toBeGreaterThan(0);
    expect(JSON.stringify(reported)).not.toContain(SECRET);
  });

  it("takes an answer of the wrong form for a bug: an error to the page, the field to the log", async () => {
    const { reply, reported } = ask(
      "app.bootstrap",
      {},
      { "app.bootstrap": () => ({ ...bootstrap, version: SECRET, problem: 7 }) },
    );
    await expect(reply).rejects.toThrow(/^bad_reply$/);
    expect(reported).toEqual([{ code: "ipc_bad_reply", channel: "app.bootstrap", field: "problem" }]);
  });

  it("says only that it failed when the backend could not be opened", async () => {
    const options = { handlers: Promise.reject(new Error(SECRET)), report: () => undefined };
    await expect(answer("app.bootstrap", {}, options)).rejects.toThrow(/^failed$/);
  });
});

describe("pushing", () => {
  it("sends what has the agreed form and reports what has not", () => {
    const reported: LogEntry[] = [];
    const report = (entry: LogEntry) => void reported.push(entry);
    expect(pushable("journal.changed", { seq: 1, taskIds: ["a"] }, report)).toEqual({ seq: 1, taskIds: ["a"] });
    expect(pushable("journal.changed", { seq: SECRET, taskIds: [] } as never, report)).toBeNull();
    expect(reported).toEqual([{ code: "push_bad_value", channel: "journal.changed", field: "seq" }]);
  });
});
