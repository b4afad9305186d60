import { describe, expect, test } from "vitest";
import type { Sqlite } from "../../db/open";
import * as schema from "../../db/schema";
import { type ChainReport, NAMED_FAULTS, verifyChain, verifyTail, verifyWholeChain } from "../../db/verify-chain";
import { sealEvent, verifyEvent } from "../../main/domain/chain";
import { GENESIS, sha256 } from "../../main/domain/hashing";
import type { EventRow } from "../../main/domain/records";
import { Story, tellEdition } from "../domain/story";
import { freshDir, insertRows, insertSnapshot, open } from "./fixture";

/** Two editions and events of the journal itself in between, with every kind of text in them. */
function tell(): Story {
  const story = new Story();
  tellEdition({}, story);
  story.event(null, "SuppressionChanged", { actor: "editor:lin", reason: '“中文” "quoted" \\ \u0001 \u007f / 😀' });
  tellEdition({ taskKey: "weekly:w31:zh" }, story);
  story.event(null, "EpochRaised", { actor: "system", evidenceRefs: ['a"b', "中"] });
  return story;
}

function stored(story = tell(), spoil: (sqlite: Sqlite) => void = () => {}): Sqlite {
  const { sqlite } = open(freshDir(), { durability: "simulation" });
  insertSnapshot(sqlite, story.snapshot());
  sqlite.exec("DROP TRIGGER i08_event_no_update; DROP TRIGGER i08_event_no_delete");
  spoil(sqlite);
  return sqlite;
}

const named = ({ faults }: ChainReport) => faults.map(({ seq, fault }) => `${seq} ${fault}`);
const whole = (sql: string) => named(verifyWholeChain(stored(tell(), (sqlite) => void sqlite.exec(sql))));
const tail = (sql: string, count?: number) =>
  named(
    verifyTail(
      stored(tell(), (sqlite) => void sqlite.exec(sql)),
      count,
    ),
  );

describe("the whole chain", () => {
  test("is sound as it was written, and the head is the last event's", () => {
    const story = tell();
    const last = story.data.events[story.data.events.length - 1];
    const head = { seq: last?.seq, hash: last?.hash };
    expect(verifyWholeChain(stored(story))).toEqual({ ok: true, events: last?.seq, head, faultCount: 0, faults: [] });
    expect(verifyWholeChain(open(freshDir()).sqlite)).toMatchObject({
      ok: true,
      events: 0,
      head: { seq: 0, hash: GENESIS },
    });
  });

  test("a payload may be withheld", () => {
    expect(whole("UPDATE event SET payload = NULL WHERE seq IN (3, 9)")).toEqual([]);
  });

  test("any column changed is found at its event", () => {
    const x = `'${sha256("x")}'`;
    expect(whole("UPDATE event SET payload = '{\"x\":1}' WHERE seq = 3")).toEqual(["3 payload_hash"]);
    expect(whole(`UPDATE event SET header = header || ' ' WHERE seq = 3`)).toEqual([
      "3 header_hash",
      "3 header_differs_from_row",
    ]);
    for (const set of [
      "type = 'X'",
      "from_state = 'x'",
      "to_state = NULL",
      "actor = 'editor:x'",
      "fencing_token = 9",
      "fencing_token = NULL",
      "at = at + 1",
      "zone = 'UTC'",
      "reason = 'x'",
      `evidence_refs = '["x"]'`,
      "evidence_refs = 'no json'",
      `evidence_refs = '[ ]'`,
    ])
      expect(whole(`UPDATE event SET ${set} WHERE seq = 3`), set).toEqual(
        // Another spelling of the same list is the same list.
        set.includes("[ ]") ? [] : ["3 header_differs_from_row"],
      );
    expect(whole(`UPDATE event SET payload = NULL, payload_hash = ${x} WHERE seq = 3`)).toEqual([
      "3 header_differs_from_row",
    ]);
    expect(whole(`UPDATE event SET prev_hash = ${x} WHERE seq = 3`)).toEqual([
      "3 header_differs_from_row",
      "3 prev_hash",
    ]);
    expect(whole(`UPDATE event SET task_prev_hash = ${x} WHERE seq = 3`)).toEqual([
      "3 header_differs_from_row",
      "3 task_prev_hash",
    ]);
    expect(whole(`UPDATE event SET hash = ${x} WHERE seq = 3`)).toEqual([
      "3 header_hash",
      "4 prev_hash",
      "4 task_prev_hash",
    ]);
  });

  test("a text as it is quoted in the header instead of the text itself is found", () => {
    const story = tell();
    const { seq, reason } = story.data.events.find((event) => event.reason?.includes('"')) as EventRow;
    const quoted = JSON.stringify(reason).slice(1, -1);
    const spoil = (sqlite: Sqlite) => void sqlite.prepare("UPDATE event SET reason = ? WHERE seq = ?").run(quoted, seq);
    expect(named(verifyWholeChain(stored(story, spoil)))).toEqual([`${seq} header_differs_from_row`]);
  });

  test("an event removed from the middle, from the beginning, two swapped", () => {
    expect(whole("DELETE FROM event WHERE seq = 3")).toEqual([
      "4 prev_hash",
      "4 seq_gap",
      "4 task_prev_hash",
      "4 task_seq_gap",
    ]);
    expect(whole("DELETE FROM event WHERE seq = 1")).toContain("2 seq_gap");
    expect(
      whole(
        "UPDATE event SET seq = -3 WHERE seq = 3; UPDATE event SET seq = 3 WHERE seq = 4; UPDATE event SET seq = 4 WHERE seq = -3",
      ),
    ).toContain("3 prev_hash");
  });

  test("a tail that was cut: the tasks' rows remember it", () => {
    const last = tell().data.events.length;
    expect(whole(`DELETE FROM event WHERE seq > ${last - 3}`)).toEqual([`${last - 3} task_head`]);
    expect(whole(`UPDATE task SET task_head = '${GENESIS}' WHERE id = 't1'`)).toEqual([`${last} task_head`]);
    expect(whole("UPDATE task SET task_seq = task_seq - 1 WHERE id = 't1'")).toEqual([`${last} task_head`]);
  });

  test("an event forged whole, hashes and all, breaks the one after it", () => {
    const story = tell();
    const row = story.data.events[5] as EventRow;
    const { type, fromState, toState, operationId, evidenceRefs, ...place } = row;
    const { payload: _payload, payloadHash: _hash, header: _header, reason: _reason, ...where } = place;
    const words = { type, fromState, toState, operationId, evidenceRefs, reason: "approved by all", payload: {} };
    const forged = sealEvent(words, where);
    const sqlite = stored(story, (file) => {
      file.exec("DELETE FROM event WHERE seq = 6; DROP TRIGGER i08_event_in_order");
      insertRows(file, schema.event, [forged]);
    });
    expect(named(verifyWholeChain(sqlite))).toEqual(["7 prev_hash", "7 task_prev_hash"]);
  });

  test("the first faults are named by number, and the rest counted", () => {
    const report = verifyWholeChain(
      stored(tell(), (sqlite) => void sqlite.exec("UPDATE event SET zone = 'UTC', at = 1")),
    );
    expect(report.faultCount).toBe(report.events);
    expect(report.faults).toHaveLength(Math.min(NAMED_FAULTS, report.events));
    expect(report.faults.map(({ seq }) => seq)).toEqual([...report.faults.keys()].map((at) => at + 1));
  });

  test("agrees with the domain's own verifier on every event and every fault", () => {
    const spoil = [
      "UPDATE event SET reason = 'x' WHERE seq % 7 = 0",
      "UPDATE event SET payload = '{\"a\":1}' WHERE seq % 5 = 0",
      "UPDATE event SET header = replace(header, '中文', 'zh') WHERE header LIKE '%中文%'",
      "UPDATE event SET task_seq = task_seq + 100 WHERE seq = 11",
      "DELETE FROM event WHERE seq = 20",
    ].join(";");
    const sqlite = stored(tell(), (file) => void file.exec(spoil));
    const rows = sqlite
      .prepare<[], EventRow & { refs: string }>(
        `SELECT seq, task_id AS taskId, task_seq AS taskSeq, type, from_state AS fromState, to_state AS toState, actor,
         fencing_token AS fencingToken, at, zone, reason, operation_id AS operationId, evidence_refs AS refs, payload,
         payload_hash AS payloadHash, prev_hash AS prevHash, task_prev_hash AS taskPrevHash, header, hash FROM event ORDER BY seq`,
      )
      .all();
    let before = { hash: GENESIS, seq: 0 };
    const tasks = new Map<string, { hash: EventRow["hash"]; taskSeq: number }>();
    const expected = rows.flatMap((row) => {
      const taskBefore = tasks.get(row.taskId ?? "") ?? { hash: GENESIS, taskSeq: 0 };
      const found = verifyEvent({ ...row, evidenceRefs: JSON.parse(row.refs) }, before, taskBefore);
      before = row;
      if (row.taskId !== null) tasks.set(row.taskId, { hash: row.hash, taskSeq: row.taskSeq ?? 0 });
      return found.map((fault) => `${row.seq} ${fault}`);
    });
    expect(expected.length).toBeGreaterThan(15);
    expect(named(verifyWholeChain(sqlite))).toEqual(expected);
  });

  test("reports progress by pages, and leaves no transaction open when it is abandoned", () => {
    const sqlite = stored();
    const walk = verifyChain(sqlite);
    const total = tell().data.events.length;
    expect(walk.next()).toEqual({ done: false, value: { done: total, total } });
    expect(sqlite.inTransaction).toBe(true);
    walk.return({ ok: false, events: 0, head: { seq: 0, hash: "" }, faultCount: 0, faults: [] });
    expect(sqlite.inTransaction).toBe(false);
  });
});

describe("the tail", () => {
  test("is sound at any length, also where it begins in the middle of a task", () => {
    const sqlite = stored();
    for (const count of [1, 2, 5, 20, 1_000]) expect(named(verifyTail(sqlite, count)), `${count}`).toEqual([]);
    expect(verifyTail(open(freshDir()).sqlite)).toMatchObject({ ok: true, events: 0 });
  });

  test("sees what happened to the newest events, and leaves the old ones to the whole check", () => {
    const last = tell().data.events.length;
    expect(tail(`UPDATE event SET reason = 'x' WHERE seq = ${last - 1}`, 3)).toEqual([
      `${last - 1} header_differs_from_row`,
    ]);
    expect(tail("UPDATE event SET reason = 'x' WHERE seq = 3", 3)).toEqual([]);
    expect(tail(`DELETE FROM event WHERE seq = ${last - 2}`, 2)).toContain(`${last - 1} seq_gap`);
    expect(tail(`DELETE FROM event WHERE seq > ${last - 3}`, 5)).toEqual([`${last - 3} task_head`]);
  });

  test("a live task whose events lie further back is held against its own last event", () => {
    const story = new Story();
    const taskId = story.createTask();
    for (let at = 0; at < 9; at += 1) story.event(null, "SuppressionChanged", { actor: "system" });
    expect(named(verifyTail(stored(story), 3))).toEqual([]);
    const cut = stored(story, (sqlite) => void sqlite.exec(`UPDATE task SET task_seq = 2 WHERE id = '${taskId}'`));
    expect(named(verifyTail(cut, 3))).toEqual(["10 task_head"]);
  });
});
