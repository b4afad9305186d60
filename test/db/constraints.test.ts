import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { openJournal, type Sqlite } from "../../db/open";
import * as schema from "../../db/schema";
import { sha256 } from "../../main/domain/hashing";
import { OPERATION_STATES, OPERATION_TRANSITIONS } from "../../main/domain/operation";
import type { OperationRow } from "../../main/domain/records";
import {
  AT,
  AUDIENCE,
  CONTENT,
  EDITOR,
  type Edition,
  tellPublish,
  tellSend,
  tellStart,
  tellVerified,
} from "../domain/story";
import { insertRows, options } from "./fixture";

/**
 * Rows written around the handler: what SQLite itself refuses, each beside the case that it lets through. The name of the
 * invariant stands in the refusal; a UNIQUE index can only name its columns.
 */
interface World {
  sqlite: Sqlite;
  edition: Edition;
}

/** Worlds are shared by the tests of a group, since every case is taken back again; so they are closed at the very end. */
const closers: (() => void)[] = [];
afterAll(() => {
  for (const close of closers) close();
});

/** A told edition in a real file, with every trigger on. Nothing of it has left yet. */
function stored(edition: Edition): World {
  const dir = mkdtempSync(join(tmpdir(), "imprimatur-test-"));
  const result = openJournal(options(dir, { durability: "simulation" }));
  if (result.kind === "problem") throw new Error(result.problem.detail);
  const { sqlite } = result.journal;
  closers.push(() => {
    sqlite.close();
    rmSync(dir, { recursive: true, force: true });
  });
  const { data } = edition.story;
  insertRows(sqlite, schema.pipelineDefinition, [
    { hash: sha256("{}"), name: "weekly", version: 1, body: "{}", registeredAt: AT },
  ]);
  insertRows(sqlite, schema.task, data.tasks);
  insertRows(sqlite, schema.compensation, data.compensations);
  insertRows(sqlite, schema.approval, data.approvals);
  insertRows(sqlite, schema.operation, data.operations);
  insertRows(sqlite, schema.event, data.events);
  return { sqlite, edition };
}

function publishing(more: Partial<OperationRow> = {}): World {
  const edition = tellStart();
  edition.story.approve(edition.taskId, "publish");
  tellPublish(edition, more);
  return stored(edition);
}

function sending(tell: (edition: Edition) => void = tellVerified): World {
  const edition = tellStart();
  const { story, taskId } = edition;
  story.approve(taskId, "publish");
  tellPublish(edition);
  tell(edition);
  story.approve(taskId, "send");
  tellSend(edition);
  return stored(edition);
}

/** Runs SQL and takes it back again; the message of the refusal, or "accepted". */
function outcome({ sqlite }: World, sql: string): string {
  sqlite.exec("BEGIN");
  try {
    sqlite.exec(sql);
    return "accepted";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    sqlite.exec("ROLLBACK");
  }
}

const text = (value: string | null) => (value === null ? "NULL" : `'${value}'`);
const BYTES = sha256("bytes");
const LATER = AT + 20_000;

/** The statement with which a request is marked as sent, for the operation of a phase. */
const sent = (phase: string, set: Record<string, string | number | null> = {}, kind = "publish"): string => {
  const isPublish = kind === "publish";
  const values: Record<string, string | number | null> = {
    state: "request_sent",
    request_sent_at: LATER,
    request_bytes_hash: BYTES,
    request_content_hash: isPublish ? CONTENT : null,
    request_page_url: isPublish ? null : "https://site.example/w30",
    request_body_hash: isPublish ? null : sha256("body"),
    request_audience_hash: isPublish ? null : AUDIENCE,
    ...set,
  };
  const pairs = Object.entries(values).map(([name, value]) =>
    typeof value === "number" ? `${name} = ${value}` : `${name} = ${text(value)}`,
  );
  return `UPDATE operation SET ${pairs.join(", ")} WHERE kind = '${kind}' AND phase = '${phase}';`;
};

/** Inserts a copy of a row with some columns changed. */
function copy(
  { sqlite }: World,
  table: string,
  changes: Record<string, string>,
  where = "true",
  verb = "INSERT",
): string {
  const names = (sqlite.pragma(`table_info(${table})`) as { name: string }[]).map(({ name }) => name);
  const values = names.map((name) => changes[name] ?? `"${name}"`);
  return `${verb} INTO ${table} (${names.map((name) => `"${name}"`).join()}) SELECT ${values.join()} FROM ${table} WHERE ${where} LIMIT 1;`;
}

describe("I01", () => {
  const world = publishing();
  const version = (changes: Record<string, string>) => outcome(world, copy(world, "task", { id: "'t2'", ...changes }));
  const second = { task_version: "2", supersedes_task_id: "'t1'", created_by: "'editor:lin'" };
  const end = "UPDATE task SET state = 'closed' WHERE id = 't1';";

  test("at most one live task per key", () => {
    expect(version(second)).toBe("UNIQUE constraint failed: task.task_key");
    expect(outcome(world, `${end}${copy(world, "task", { id: "'t2'", state: "'created'", ...second })}`)).toBe(
      "accepted",
    );
    expect(version({ ...second, task_key: "'weekly:w31:zh'" })).toBe("accepted");
  });

  test("a version once, by a timer only the first, a later one with what it supersedes", () => {
    const ended = (changes: Record<string, string>) =>
      outcome(world, `${end}${copy(world, "task", { id: "'t2'", state: "'created'", ...changes })}`);
    expect(ended({})).toBe("UNIQUE constraint failed: task.task_key, task.task_version");
    expect(ended({ ...second, created_by: "'scheduler'" })).toBe("CHECK constraint failed: i01_timer_version");
    expect(ended({ ...second, supersedes_task_id: "NULL" })).toBe("CHECK constraint failed: i01_supersedes");
  });
});

describe("I02 a publish request needs a living approval of exactly its bytes", () => {
  const world = publishing();
  const refused = "I02: no living approval of these bytes";
  const withApproval = (set: string, request: Record<string, string | number> = {}) => {
    // The words of an approval never change, so another one is put in its place.
    const drop = "DROP TRIGGER approval_immutable;";
    return outcome(world, `${drop} UPDATE approval SET ${set}; ${sent("create", request)}`);
  };

  test("this one lets it through", () => {
    expect(outcome(world, sent("create"))).toBe("accepted");
  });

  test("none, or one that differs in anything", () => {
    const none = "DROP TRIGGER approval_no_delete; DELETE FROM approval;";
    expect(outcome(world, `${none} ${sent("create")}`)).toBe(refused);
    for (const set of [
      "scope = 'send', page_url = 'p', body_hash = 'b', audience_hash = 'a'",
      "intent_key = intent_key || 'x'",
      "hash_rule_version = 1",
      `content_hash = '${BYTES}'`,
      `revoked_at = ${LATER - 1}`,
      `ended_at = ${LATER - 1}`,
      `issued_at = ${LATER + 1}`,
      `expires_at = ${LATER}`,
    ])
      expect(withApproval(set), set).toBe(refused);
    expect(withApproval(`expires_at = ${LATER + 1}, issued_at = ${LATER}`)).toBe("accepted");
    const other = `PRAGMA defer_foreign_keys = on; ${copy(world, "task", { id: "'t9'", task_key: "'other'" })}`;
    expect(
      outcome(world, `${other} DROP TRIGGER approval_immutable; UPDATE approval SET task_id = 't9'; ${sent("create")}`),
    ).toBe(refused);
  });

  test("bytes that came out differently", () => {
    expect(outcome(world, sent("create", { request_content_hash: BYTES }))).toBe(refused);
    expect(outcome(world, sent("create", { request_content_hash: null }))).toBe(refused);
  });

  test("it is judged when the request leaves, not when something else is noted later", () => {
    const expired = "DROP TRIGGER approval_immutable; UPDATE approval SET expires_at = issued_at + 1;";
    const note = "UPDATE operation SET state = state, next_look_at = 1;";
    expect(outcome(world, `${sent("create")} ${expired} ${note}`)).toBe("accepted");
  });

  test("no operation is put in as sent already", () => {
    const row = { id: "'op-x'", operation_key: "'x'", slot: "'elsewhere'" };
    const sentAlready = { ...row, state: "'request_sent'", request_bytes_hash: text(BYTES) };
    expect(outcome(world, copy(world, "operation", sentAlready))).toContain("operation machine: an operation begins");
    expect(outcome(world, copy(world, "operation", row))).toBe("accepted");
  });
});

describe("I03 one operation per key, one create per slot, immutable intents", () => {
  const world = publishing();
  const second = { id: "'op-2'", operation_key: "'other key'" };
  const confirm = `${sent("create")} UPDATE operation SET state = 'confirmed', settled = 1;`;

  test("a key once", () => {
    const same = copy(world, "operation", { id: "'op-2'", slot: "'elsewhere'" });
    expect(outcome(world, same)).toBe("UNIQUE constraint failed: operation.operation_key");
  });

  test("no second create, delivery or trigger while one is unsettled; after it was rejected there may be one", () => {
    const reject = `${sent("create")} UPDATE operation SET state = 'rejected', settled = 1;`;
    const insert = (phase: string) => copy(world, "operation", { ...second, phase, settled: "0", state: "'prepared'" });
    expect(outcome(world, insert("'create'"))).toBe("UNIQUE constraint failed: operation.slot, operation.phase");
    expect(outcome(world, `${reject} ${insert("'create'")}`)).toBe("accepted");
    expect(outcome(world, insert("'update'"))).toBe("accepted");
    const send = sending();
    for (const phase of ["create", "trigger"])
      expect(outcome(send, copy(send, "operation", second, `kind = 'send' AND phase = '${phase}'`)), phase).toContain(
        "UNIQUE",
      );
  });

  test("an object that is there is updated, never created again, and a settled create is not opened beside it", () => {
    const create = copy(world, "operation", { ...second, settled: "0", state: "'prepared'" });
    expect(outcome(world, `${confirm} ${create}`)).toBe("I03: an object exists in this slot already");
    const update = copy(world, "operation", { ...second, phase: "'update'", settled: "0", state: "'prepared'" });
    expect(outcome(world, `${confirm} ${update}`)).toBe("accepted");
    const rejected = `${sent("create")} UPDATE operation SET state = 'rejected', settled = 1; ${create}`;
    const other = `DROP TRIGGER i02_publish_needs_approval; ${sent("create").replace(";", " AND id = 'op-2';")}`;
    const both = `${rejected} ${other} UPDATE operation SET state = 'confirmed', settled = 1 WHERE id = 'op-2';`;
    const again = "UPDATE operation SET state = 'prepared', settled = 0 WHERE id <> 'op-2';";
    expect(outcome(world, `${both} ${again}`)).toBe("I03: an object exists in this slot already");
    expect(outcome(world, `${rejected.replace(create, "")} ${again}`)).toBe("accepted");
  });

  test("nothing of an intent changes, and the bytes of a request are set once", () => {
    for (const column of [
      "id",
      "task_id",
      "operation_key",
      "intent_key",
      "phase",
      "slot",
      "kind",
      "adapter",
      "target",
      "recipient_id",
      "intent_hash",
      "content_hash",
      "page_url",
      "body_hash",
      "audience_hash",
      "hash_rule_version",
      "parent_id",
      "after_id",
      "compensation_id",
      "automatic",
    ]) {
      const value =
        column === "phase"
          ? "'update'"
          : column === "kind"
            ? "'compensate'"
            : column === "intent_hash"
              ? text(BYTES)
              : column === "automatic"
                ? "1 - automatic"
                : column === "hash_rule_version"
                  ? "3"
                  : "'x'";
      expect(outcome(world, `UPDATE operation SET ${column} = ${value}`), column).toBe(
        "I03: the intent of an operation is immutable",
      );
    }
    const bytes = [
      "request_bytes_hash",
      "request_content_hash",
      "request_page_url",
      "request_body_hash",
      "request_audience_hash",
    ];
    for (const column of bytes) {
      const set = `UPDATE operation SET ${column} = ${text(BYTES)};`;
      expect(outcome(world, set), column).toBe("accepted");
      expect(outcome(world, `${set} UPDATE operation SET ${column} = ${text(CONTENT)};`), column).toContain("I03");
      expect(outcome(world, `${set} UPDATE operation SET ${column} = NULL;`), column).toContain("I03");
    }
    expect(outcome(world, "UPDATE operation SET remote_id = '18427', next_look_at = 5, looks_used = 1")).toBe(
      "accepted",
    );
  });
});

describe("I04 a send needs the page and a living approval of page, body and audience", () => {
  const world = sending();
  const send = (set: Record<string, string | null> = {}) => sent("create", set, "send");
  const refused = "I04: no living approval of this page, body and audience";

  test("with both it leaves", () => {
    expect(outcome(world, send())).toBe("accepted");
  });

  test("the page never verified, or only before it was written last", () => {
    const unproved = sending(({ story, taskId }) => story.move(taskId, "Published", "published"));
    expect(outcome(unproved, send())).toBe("I04: the public page was not verified");
    const updated = sending((edition) => {
      tellVerified(edition);
      const [publish] = edition.story.data.operations;
      edition.story.event(edition.taskId, "RequestSent", { operationId: publish?.id ?? null });
    });
    expect(outcome(updated, send())).toBe("I04: the public page was not verified");
  });

  test("recomputed to something else than approved", () => {
    for (const column of ["request_page_url", "request_body_hash", "request_audience_hash"]) {
      expect(outcome(world, send({ [column]: BYTES })), column).toBe(refused);
      expect(outcome(world, send({ [column]: null })), column).toBe(refused);
    }
  });

  test("no such approval, one of the other gate, one that is no longer living", () => {
    const changed = (set: string) =>
      outcome(world, `DROP TRIGGER approval_immutable; UPDATE approval SET ${set} WHERE scope = 'send'; ${send()}`);
    for (const set of [
      "scope = 'publish', content_hash = 'c'",
      "intent_key = 'x'",
      "hash_rule_version = 1",
      "page_url = 'x'",
      "body_hash = 'x'",
      "audience_hash = 'x'",
      "revoked_at = 1",
      "ended_at = 1",
      `issued_at = ${LATER + 1}`,
      `expires_at = ${LATER}`,
    ])
      expect(changed(set), set).toBe(refused);
  });
});

describe("I05 an executor has the current token", () => {
  const world = publishing();
  const { story, taskId } = world.edition;
  const event = (more: { actor?: string; token?: number | null }): string => {
    const before = structuredClone(story.data);
    const row = story.event(taskId, "ProbeAttempted", more);
    Object.assign(story.data, before);
    world.sqlite.exec("BEGIN");
    try {
      insertRows(world.sqlite, schema.event, [row]);
      return "accepted";
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    } finally {
      world.sqlite.exec("ROLLBACK");
    }
  };

  test("an event: the current one, no other and not none; a person needs none", () => {
    expect(event({})).toBe("accepted");
    expect(event({ actor: EDITOR })).toBe("accepted");
    for (const token of [0, 2, null]) expect(event({ token }), String(token)).toBe("I05: stale fencing token");
  });

  test("an attempt", () => {
    const insert = (token: number, actor = "executor:a") =>
      outcome(
        world,
        `INSERT INTO attempt (operation_id, number, task_id, actor, fencing_token, policy_version, base_delay_ms, actual_delay_ms, started_at)
         SELECT id, 1, task_id, '${actor}', ${token}, 1, 0, 0, 1 FROM operation LIMIT 1`,
      );
    expect(insert(1)).toBe("accepted");
    expect(insert(0)).toBe("I05: stale fencing token");
    expect(insert(2)).toBe("I05: stale fencing token");
    expect(insert(0, EDITOR)).toBe("accepted");
  });

  test("a token never goes down", () => {
    expect(outcome(world, "UPDATE task SET fencing_token = 2")).toBe("accepted");
    expect(outcome(world, "UPDATE task SET fencing_token = 0")).toBe("I05: a fencing token never goes down");
  });
});

describe("I06 success accounts for everything", () => {
  const world = sending();
  const settle =
    "DROP TRIGGER operation_machine; DROP TRIGGER i02_publish_needs_approval; DROP TRIGGER i04_send_needs_approval;" +
    `UPDATE operation SET state = 'confirmed', settled = 1, request_bytes_hash = ${text(BYTES)};`;
  const audience = (count: number) =>
    `INSERT INTO audience_snapshot VALUES ('au', 't1', '${AUDIENCE}', 0, ${count}, 0, 1, 'x');`;
  const recipient = (id: string, outcomeOf: string) =>
    `INSERT INTO recipient_account VALUES ('t1', '${id}', 'paid', '${outcomeOf}', 1, NULL);`;
  const succeed = "UPDATE task SET state = 'succeeded', lease_owner = NULL, lease_expires_at = NULL;";
  const refused = "I06: not every operation and recipient is accounted for";
  const all = `${settle}${audience(2)}${recipient("a", "delivered")}${recipient("b", "bounced")}`;

  test("everything settled and everybody accounted for", () => {
    expect(outcome(world, all + succeed)).toBe("accepted");
    for (const end of ["complained", "excluded", "closed_by_person"])
      expect(outcome(world, `${settle}${audience(1)}${recipient("a", end)}${succeed}`), end).toBe("accepted");
  });

  test("an open or failed operation, an open recipient, a count that does not fit", () => {
    for (const set of [
      "state = 'unknown', settled = 0",
      "state = 'conflict', settled = 0",
      "state = 'locked', settled = 0",
      "state = 'not_found', settled = 0",
      "state = 'not_found', settled = 1",
      "state = 'rejected', settled = 1",
    ])
      expect(outcome(world, `${all} UPDATE operation SET ${set} WHERE phase = 'trigger'; ${succeed}`), set).toBe(
        refused,
      );
    for (const open of ["unknown", "accepted"])
      expect(outcome(world, `${settle}${audience(1)}${recipient("a", open)}${succeed}`), open).toBe(refused);
    expect(outcome(world, `${settle}${audience(2)}${recipient("a", "delivered")}${succeed}`)).toBe(refused);
    expect(outcome(world, `${settle}${audience(0)}${recipient("a", "delivered")}${succeed}`)).toBe(refused);
    expect(outcome(world, `${settle}${recipient("a", "delivered")}${succeed}`)).toBe(refused);
  });

  test("nobody is put in as ended, and what is counted against is not made to fit", () => {
    const other = { id: "'t2'", task_key: "'other'" };
    expect(outcome(world, copy(world, "task", { ...other, state: "'succeeded'" }))).toContain("I06");
    expect(outcome(world, copy(world, "task", other))).toBe("accepted");
    expect(outcome(world, `${audience(2)} UPDATE audience_snapshot SET count = 1`)).toBe(
      "I06: an audience is counted once",
    );
    expect(outcome(world, `${audience(2)} DELETE FROM audience_snapshot`)).toBe("I06: an audience is never deleted");
  });

  test("accounts may be counted anew while nothing was mailed, and are kept afterwards", () => {
    const some = recipient("a", "unknown");
    const clear = "DELETE FROM recipient_account;";
    expect(outcome(world, some + clear)).toBe("accepted");
    const created = `${sent("create", {}, "send")}`;
    expect(outcome(world, some + created + clear)).toBe("accepted");
    const mailed = `${sent("trigger", {}, "send")}`;
    expect(outcome(world, some + mailed + clear)).toBe("I06: the account of a recipient is kept once a mailing left");
  });
});

describe("I07 the undo comes first", () => {
  test("a forward operation names its undo; an undo needs none", () => {
    const world = publishing();
    const row = { id: "'op-x'", operation_key: "'x'", slot: "'elsewhere'", compensation_id: "NULL" };
    expect(outcome(world, copy(world, "operation", row))).toBe("CHECK constraint failed: i07_compensation_first");
    const undo = { ...row, kind: "'compensate'", phase: "'undo'" };
    expect(outcome(world, copy(world, "operation", undo))).toBe("accepted");
    const missing = { ...row, compensation_id: "'cp-nowhere'" };
    expect(outcome(world, copy(world, "operation", missing))).toBe("FOREIGN KEY constraint failed");
  });

  test("grade D never in an automatic chain", () => {
    // The words of an entry never change, so another one is put in its place.
    const free = "DROP TRIGGER i07_compensation_immutable; DROP TRIGGER compensation_only_while_compensating;";
    const grade = `${free} UPDATE compensation SET grade = 'D';`;
    expect(outcome(publishing({ automatic: true }), grade + sent("create"))).toContain("I07: an irreversible action");
    expect(outcome(publishing({ automatic: false }), grade + sent("create"))).toBe("accepted");
    expect(outcome(publishing({ automatic: true }), grade.replace("'D'", "'C'") + sent("create"))).toBe("accepted");
  });

  test("what was written down before the call stays, and no step that was done is forgotten", () => {
    const world = publishing();
    const compensating = "UPDATE task SET state = 'compensating';";
    for (const [column, value] of [
      ["id", "'x'"],
      ["task_id", "'x'"],
      ["position", "5"],
      ["service", "'x'"],
      ["action", "'x'"],
      ["args", "'{}x'"],
      ["grade", "'A'"],
      ["precondition", "'x'"],
      ["owner", "'x'"],
      ["verification", "'x'"],
      ["timeout_ms", "9"],
      ["retry_max", "1"],
      ["steps", "'[]'"],
    ])
      expect(outcome(world, `${compensating} UPDATE compensation SET ${column} = ${value}`), column).toBe(
        "I07: an undo entry is never rewritten",
      );
    const step = `${compensating} UPDATE compensation SET steps_done = 1;`;
    expect(outcome(world, step)).toBe("accepted");
    expect(outcome(world, `${step} UPDATE compensation SET steps_done = 0`)).toContain("never rewritten");
    expect(outcome(world, `${compensating} UPDATE compensation SET steps_done = 2`)).toContain(
      "CHECK constraint failed",
    );
    expect(outcome(world, "UPDATE compensation SET steps_done = 1")).toBe(
      "I07: nothing is undone outside of compensating",
    );
    expect(outcome(world, "DELETE FROM compensation")).toBe("I07: undo entries are never deleted");
    const other = { id: "'cp-x'", position: "2" };
    expect(outcome(world, copy(world, "compensation", { ...other, state: "'running'" }))).toContain(
      "begins as registered",
    );
    expect(outcome(world, copy(world, "compensation", other))).toBe("accepted");
  });

  test("an entry's own machine, every pair; done means every step, failed says with what", () => {
    const world = publishing();
    const ways =
      "registered>running registered>done registered>failed registered>not_needed registered>closed_by_person " +
      "running>done running>failed running>closed_by_person failed>running failed>closed_by_person";
    const states = ["registered", "not_needed", "running", "done", "failed", "closed_by_person"];
    const machine = world.sqlite
      .prepare<[], string>("SELECT sql FROM sqlite_schema WHERE name = 'compensation_machine'")
      .pluck()
      .get();
    const put = (state: string) => `UPDATE compensation SET state = '${state}', steps_done = 1, code = 'c';`;
    for (const from of states)
      for (const to of states) {
        const begin = `UPDATE task SET state = 'compensating'; DROP TRIGGER compensation_machine; ${put(from)} ${machine};`;
        expect(outcome(world, begin + put(to)), `${from}>${to}`).toBe(
          from === to || ways.split(" ").includes(`${from}>${to}`) ? "accepted" : "undo machine: no such transition",
        );
      }
    const bare = (state: string) =>
      `UPDATE task SET state = 'compensating'; UPDATE compensation SET state = '${state}'`;
    expect(outcome(world, bare("done"))).toContain("CHECK constraint failed");
    expect(outcome(world, bare("failed"))).toContain("CHECK constraint failed");
    expect(outcome(world, bare("running"))).toBe("accepted");
  });

  test("grades C and D are closed by a person; what left, or may have, is never called not needed", () => {
    const world = publishing();
    const compensating = "UPDATE task SET state = 'compensating';";
    const end = (state: string) => `UPDATE compensation SET state = '${state}', steps_done = 1, code = 'c';`;
    for (const grade of ["C", "D"]) {
      const free = "DROP TRIGGER i07_compensation_immutable;";
      const graded = `${compensating} ${free} UPDATE compensation SET grade = '${grade}';`;
      for (const state of ["done", "failed"])
        expect(outcome(world, graded + end(state)), grade).toBe("I07: an entry of this grade is closed by a person");
      expect(outcome(world, graded + end("closed_by_person")), grade).toBe("accepted");
    }
    const skip = compensating + end("not_needed");
    expect(outcome(world, skip)).toBe("accepted");
    const left = sent("create");
    const moved = (state: string, settled: number) =>
      `${left} DROP TRIGGER operation_machine; UPDATE operation SET state = '${state}', settled = ${settled}; ${skip}`;
    expect(outcome(world, left + skip)).toBe("I07: what it undoes left, or may have");
    for (const state of ["unknown", "conflict", "locked", "not_found"])
      expect(outcome(world, moved(state, 0)), state).toBe("I07: what it undoes left, or may have");
    expect(outcome(world, moved("confirmed", 1))).toBe("I07: what it undoes left, or may have");
    for (const state of ["rejected", "cancelled", "not_found"])
      expect(outcome(world, moved(state, 1)), state).toBe("accepted");
  });

  test("while compensating only undo leaves, and never else; compensated needs everything undone and settled", () => {
    const world = publishing();
    const undo = copy(world, "operation", {
      id: "'undo'",
      operation_key: "'undo'",
      kind: "'compensate'",
      phase: "'undo'",
    });
    const compensating = "UPDATE task SET state = 'compensating';";
    const leave = sent("undo", {}, "compensate");
    const refused = "I07: while compensating only undo leaves, and never else";
    expect(outcome(world, undo + leave)).toBe(refused);
    expect(outcome(world, undo + compensating + leave)).toBe("accepted");
    expect(outcome(world, compensating + sent("create"))).toBe(refused);
    const cancelled = "UPDATE operation SET state = 'cancelled', settled = 1;";
    const over = "UPDATE compensation SET state = 'not_needed';";
    const end = "UPDATE task SET state = 'compensated', lease_owner = NULL, lease_expires_at = NULL;";
    expect(outcome(world, compensating + cancelled + over + end)).toBe("accepted");
    expect(outcome(world, compensating + cancelled + end)).toBe("I07: not everything is undone and settled");
    expect(outcome(world, compensating + over + end)).toBe("I07: not everything is undone and settled");
  });

  test("eight entries at most, one a place", () => {
    const world = publishing();
    const entry = (position: number) => copy(world, "compensation", { id: "'cp-x'", position: String(position) });
    expect(outcome(world, entry(8))).toBe("accepted");
    expect(outcome(world, entry(9))).toContain("CHECK constraint failed");
    expect(outcome(world, entry(1))).toContain("UNIQUE constraint failed: compensation.task_id");
  });
});

describe("I08 what happened stays", () => {
  const world = publishing();
  const attempt = `INSERT INTO attempt (operation_id, number, task_id, actor, fencing_token, policy_version, base_delay_ms, actual_delay_ms, started_at)
    SELECT id, 1, task_id, 'executor:a', 1, 1, 0, 0, 1 FROM operation LIMIT 1;`;
  const look = `INSERT INTO reconciliation (id, operation_id, task_id, at, query, able, verdict, objects, actor)
    SELECT 'rc', id, task_id, 1, 'q', 1, 'failed', '[]', 'executor:a' FROM operation LIMIT 1;`;

  test("nothing is deleted, nothing is rewritten", () => {
    const refused: [string, string][] = [
      ["DELETE FROM event WHERE seq = 1", "I08: events are never deleted"],
      ["UPDATE event SET reason = 'x' WHERE seq = 1", "I08: events are never changed"],
      ["DELETE FROM task", "I08: tasks are never deleted"],
      ["DELETE FROM operation", "I08: operations are never deleted"],
      ["DELETE FROM approval", "I08: approvals are never deleted"],
      [`${attempt} DELETE FROM attempt`, "I08: attempts are never deleted"],
      [`${look} DELETE FROM reconciliation`, "I08: receipts are never deleted"],
      [`${look} UPDATE reconciliation SET verdict = 'confirmed'`, "I08: receipts are never changed"],
      ["DELETE FROM journal_state", "I08: the epoch is never forgotten"],
    ];
    for (const [sql, message] of refused) expect(outcome(world, sql), sql).toBe(message);
    expect(outcome(world, attempt + look)).toBe("accepted");
  });

  test("not by way of REPLACE either, which would delete silently", () => {
    for (const table of ["event", "task", "operation", "approval"])
      expect(outcome(world, copy(world, table, {}, "true", "INSERT OR REPLACE")), table).toMatch(/^I0[38]|^operation/);
    expect(outcome(world, attempt + copy(world, "attempt", {}, "true", "REPLACE"))).toContain("I08");
    expect(outcome(world, look + copy(world, "reconciliation", {}, "true", "REPLACE"))).toContain("I08");
    const next = String(world.edition.story.data.events.length + 1);
    const head = world.edition.story.data.events.at(-1)?.hash ?? "";
    const stolen = { seq: next, prev_hash: text(head), task_seq: "99" };
    expect(outcome(world, copy(world, "event", stolen, "seq = 2", "INSERT OR REPLACE"))).toBe(
      "I08: events are never deleted",
    );
  });

  test("an attempt is ended once", () => {
    const end = "UPDATE attempt SET ended_at = 2, outcome = 'unknown';";
    expect(outcome(world, attempt + end)).toBe("accepted");
    expect(outcome(world, attempt + end + end)).toBe("I08: an ended attempt is never rewritten");
  });

  test("events follow one another without a gap, after the hash of the last", () => {
    const last = world.edition.story.data.events.at(-1);
    const fresh = { hash: text(sha256("new")), task_seq: "99", prev_hash: text(last?.hash ?? null) };
    const put = (changes: Record<string, string>) =>
      outcome(world, copy(world, "event", { ...fresh, ...changes }, `seq = ${last?.seq}`));
    const seq = (last?.seq ?? 0) + 1;
    expect(put({ seq: String(seq) })).toBe("accepted");
    for (const wrong of [seq + 1, seq - 1, -seq, 0])
      expect(put({ seq: String(wrong) }), String(wrong)).toBe("I08: events follow one another without a gap");
    expect(put({ seq: "NULL" })).toBe("I08: events follow one another without a gap");
    expect(put({ seq: String(seq), prev_hash: text(sha256("else")) })).toBe(
      "I08: events follow one another without a gap",
    );
    expect(put({ seq: String(seq), task_seq: "1" })).toContain("UNIQUE constraint failed: event.task_id");
    expect(put({ seq: String(seq), task_seq: "NULL" })).toContain("CHECK constraint failed");
  });

  test("a task that ended never changes state, and nobody's identity changes", () => {
    for (const end of ["compensated", "closed"]) {
      const ended = `DROP TRIGGER i07_compensated; UPDATE task SET state = '${end}';`;
      expect(outcome(world, `${ended} UPDATE task SET state = 'created'`), end).toBe(
        "I08: a terminal task never changes state",
      );
      expect(outcome(world, `${ended} UPDATE task SET task_seq = 99`), end).toBe("accepted");
    }
    for (const column of [
      "id",
      "task_key",
      "task_version",
      "pipeline",
      "definition_hash",
      "edition",
      "language",
      "created_by",
      "created_at",
      "supersedes_task_id",
    ]) {
      const value = column === "task_version" || column === "created_at" ? "5" : "'x'";
      expect(outcome(world, `UPDATE task SET ${column} = ${value}`), column).toBe(
        "I08: the identity of a task never changes",
      );
    }
  });

  test("an approval's words stay; it can be taken back, and what was taken back stays so", () => {
    for (const column of [
      "id",
      "task_id",
      "scope",
      "intent_key",
      "hash_rule_version",
      "content_hash",
      "package_hash",
      "page_url",
      "body_hash",
      "audience_hash",
      "check_receipt_id",
      "approver",
      "issued_at",
      "expires_at",
      "time_source",
      "zone",
      "statement",
      "signature",
    ]) {
      const value = ["hash_rule_version", "issued_at", "expires_at"].includes(column) ? "7" : "'x'";
      expect(outcome(world, `UPDATE approval SET ${column} = ${value}`), column).toBe(
        "I08: an approval is never rewritten",
      );
    }
    for (const column of ["revoked_at", "ended_at"]) {
      const take = `UPDATE approval SET ${column} = 5;`;
      expect(outcome(world, take), column).toBe("accepted");
      for (const back of ["NULL", "6"])
        expect(outcome(world, `${take} UPDATE approval SET ${column} = ${back}`), column).toBe(
          "I08: an approval is never rewritten",
        );
    }
  });

  test("the epoch only rises, and a workspace stays what it is", () => {
    const raise = "UPDATE journal_state SET epoch = 2;";
    expect(outcome(world, `${raise} UPDATE journal_state SET epoch_reconciled = 2`)).toBe("accepted");
    expect(outcome(world, "UPDATE journal_state SET epoch_reconciled = 2")).toContain("CHECK constraint failed");
    for (const set of ["epoch = 1", "workspace_id = 'x'", "kind = 'real'"])
      expect(outcome(world, `${raise} UPDATE journal_state SET ${set}`), set).toContain("I08");
  });
});

describe("the operation's machine", () => {
  // Written out from the specification, so that neither the migration nor the domain's table is its own judge.
  const ways = [
    "prepared>request_sent prepared>cancelled",
    "request_sent>confirmed request_sent>rejected request_sent>unknown request_sent>prepared",
    "unknown>confirmed unknown>not_found unknown>conflict unknown>locked",
    "not_found>request_sent not_found>confirmed not_found>conflict confirmed>conflict",
    "rejected>prepared cancelled>prepared conflict>confirmed conflict>not_found locked>confirmed locked>not_found",
  ]
    .join(" ")
    .split(" ");

  test("the domain's table has exactly these ways", () => {
    const table = Object.entries(OPERATION_TRANSITIONS).flatMap(([from, to]) => to.map((state) => `${from}>${state}`));
    expect(table.sort()).toEqual([...ways].sort());
  });

  test("of all pairs the database lets exactly these pass", () => {
    const world = publishing();
    const settled = (state: string) => (["confirmed", "rejected", "cancelled"].includes(state) ? 1 : 0);
    const machine = world.sqlite
      .prepare<[], string>("SELECT sql FROM sqlite_schema WHERE name = 'operation_machine'")
      .pluck()
      .get();
    const undo = copy(world, "operation", {
      id: "'undo'",
      operation_key: "'undo'",
      kind: "'compensate'",
      phase: "'undo'",
    });
    const put = (state: string) =>
      `UPDATE operation SET state = '${state}', settled = ${settled(state)}, request_bytes_hash = '${BYTES}' WHERE id = 'undo';`;
    for (const from of OPERATION_STATES)
      for (const to of OPERATION_STATES) {
        const begin = `${undo} DROP TRIGGER i07_undo_while_compensating; DROP TRIGGER operation_machine; ${put(from)} ${machine};`;
        const isWay = from === to || ways.includes(`${from}>${to}`);
        expect(outcome(world, begin + put(to)), `${from}>${to}`).toBe(
          isWay ? "accepted" : "operation machine: no such transition",
        );
      }
  });

  test("settled says what the state says", () => {
    const world = publishing();
    expect(outcome(world, "UPDATE operation SET settled = 1")).toContain("CHECK constraint failed");
    expect(outcome(world, "UPDATE operation SET state = 'cancelled', settled = 0")).toContain(
      "CHECK constraint failed",
    );
    expect(outcome(world, "UPDATE operation SET state = 'cancelled', settled = 1")).toBe("accepted");
    expect(outcome(world, sent("create", { request_bytes_hash: null }))).toContain("CHECK constraint failed");
  });
});
