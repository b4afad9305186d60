import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { sha256 } from "../../main/domain/hashing";
import { type AllowedSigner, readAllowedSigners } from "../../main/evidence/allowed-signers";
import { BAG } from "../../main/evidence/bag-layout";
import {
  type Entry,
  exported,
  failed,
  freshDir,
  type Made,
  packed,
  recomputed,
  resigned,
  text,
  unpacked,
  verdictOn,
  withEntry,
  workspaceWith,
} from "./bundle-kit";

/** Every way in which a bundle may have been changed, and what is said about it. */
let made: Made;
let entries: Entry[];
let signers: readonly AllowedSigner[];
const STRANGER = Buffer.alloc(32, 7);

beforeAll(async () => {
  made = await exported(await workspaceWith("2026-W30"));
  entries = await unpacked(made.path);
  const read = readAllowedSigners(made.allowed);
  if (read.kind === "refused") throw new Error(read.detail);
  signers = read.signers;
});

const verdictOf = async (changed: readonly Entry[]) => verdictOn(await packed(changed));
const cutTail = (lines: string): string => lines.replace(/[^\n]*\n$/, "");

describe("a bundle", () => {
  test("is valid as it was made, and after another program packed the same files anew", async () => {
    const verdict = await verdictOn(made.path, { signers });
    expect(failed(verdict)).toEqual([]);
    expect(verdict).toMatchObject({ valid: true, events: made.json.events, head: made.json.head });
    expect(verdict.signer?.trusted).toBe(true);
    expect((await verdictOf(entries)).valid).toBe(true);
    expect((await verdictOn(made.path)).signer?.trusted).toBeNull();
  });

  test("with a payload file edited is not valid, by the file's name", async () => {
    const verdict = await verdictOf(withEntry(entries, BAG.ledger, (csv) => csv.replace("succeeded", "corrected")));
    expect(verdict.valid).toBe(false);
    expect(failed(verdict)).toEqual([`payload: ${BAG.ledger} was changed`]);
  });

  test("with a payload file added is not valid", async () => {
    const added = [...entries, { name: "data/receipts/new.json", bytes: Buffer.from("{}") }];
    expect(failed(await verdictOf(added))).toEqual([
      "file_list: data/receipts/new.json is not listed: it was added or renamed",
    ]);
  });

  test("with a file added beside the payload is not valid", async () => {
    const added = [...entries, { name: "NOTE.txt", bytes: Buffer.from("read me first") }];
    expect(failed(await verdictOf(added))).toEqual(["file_list: NOTE.txt is not listed: it was added or renamed"]);
  });

  test("with a payload file removed is not valid", async () => {
    const verdict = await verdictOf(entries.filter(({ name }) => name !== BAG.report));
    expect(failed(verdict)[0]).toBe(`file_list: ${BAG.report} is missing`);
    expect(verdict.valid).toBe(false);
  });

  test("with a payload file renamed is not valid", async () => {
    const renamed = entries.map((entry) =>
      entry.name === BAG.report ? { ...entry, name: "data/report2.html" } : entry,
    );
    expect(failed(await verdictOf(renamed))[0]).toBe(
      `file_list: ${BAG.report} is missing; data/report2.html is not listed: it was added or renamed`,
    );
  });

  test("with bag-info edited is not valid", async () => {
    const verdict = await verdictOf(withEntry(entries, BAG.info, (info) => info.replace("2026-W30", "2026-W31")));
    expect(failed(verdict)).toEqual([`tag_files: ${BAG.info} was changed`]);
  });

  test.each([BAG.declaration, BAG.manifest, BAG.readme, BAG.script, BAG.tagManifest, BAG.signature])(
    "without %s is not valid",
    async (missing) => {
      const verdict = await verdictOf(entries.filter(({ name }) => name !== missing));
      expect(failed(verdict)).toEqual([`bag: ${missing} is missing`]);
    },
  );

  test("with every manifest made anew is not valid, by the signature", async () => {
    const edited = withEntry(entries, BAG.report, (page) => page.replace("succeeded", "corrected"));
    expect(failed(await verdictOf(recomputed(edited)))).toEqual([
      `signature: ${BAG.signature}: it is not a signature of these bytes`,
    ]);
  });

  test("signed by another key is not valid, by what it says itself, and by the allowed signers where that was changed", async () => {
    const edited = recomputed(withEntry(entries, BAG.report, (page) => page.replace("succeeded", "corrected")));
    const other = resigned(edited, STRANGER);
    expect(failed(await verdictOf(other))[0]).toMatch(
      /^signer: bag-info.txt names the key SHA256:\S+, but SHA256:\S+ signed$/,
    );
    const found = (await verdictOf(other)).signer?.fingerprint ?? "";
    const claimed = withEntry(other, BAG.info, (info) =>
      info.replace(/Signer-Fingerprint: .*/, `Signer-Fingerprint: ${found}`),
    );
    const path = await packed(resigned(recomputed(claimed), STRANGER));
    expect(failed(await verdictOn(path, { signers }))).toEqual([
      "signer: the key that signed is not in the file of allowed signers",
    ]);
    // Without such a file nobody can know; it is said, and the fingerprint is there to be compared.
    expect((await verdictOn(path)).signer).toMatchObject({ fingerprint: found, trusted: null });
  });

  test("by whoever holds the key: another name under an approval, or one left out, is held against the journal's own events", async () => {
    const row =
      entries.find(({ name }) => /^data\/approval\/.*\.json$/.test(name) && !name.includes(".statement."))?.name ?? "";
    const statement = row.replace(/\.json$/, ".statement.json");
    const rename = (json: string) => json.replace('"approver":"operator-script"', '"approver":"editor:ceo"');
    const renamed = withEntry(entries, statement, rename);
    const hash = sha256(text(renamed, statement));
    const both = withEntry(renamed, row, (json) =>
      rename(json).replace(/"statementSha256":"[0-9a-f]*"/, `"statementSha256":"${hash}"`),
    );
    const approvals = async (changed: readonly Entry[]) =>
      failed(await verdictOf(resigned(recomputed(changed), STRANGER))).filter((line) => line.startsWith("approvals:"));
    expect(await approvals(both)).toEqual([
      expect.stringContaining("says that editor:ceo agreed, the journal operator-script"),
    ]);
    const without = entries.filter(({ name }) => !name.startsWith(row.replace(/json$/, "")));
    expect(await approvals(without)).toEqual([
      expect.stringMatching(/the approval ap\S+ that operator-script gave is not there/),
    ]);
    expect(await approvals(entries)).toEqual([]);
  });

  test("signed by the right key for another name or another purpose is not valid", async () => {
    expect(failed(await verdictOn(made.path, { signers, identity: "somebody@else" }))[0]).toMatch(
      /^signer: .*not somebody@else$/,
    );
    const renamed = recomputed(
      withEntry(entries, BAG.info, (info) => info.replace(/Signer-Identity: .*/, "Signer-Identity: mallory")),
    );
    const asMallory = await packed(resigned(renamed, made.seed));
    expect(failed(await verdictOn(asMallory, { signers }))[0]).toMatch(
      /^signer: the key is allowed for .* not for mallory$/,
    );
    const otherPurpose = await verdictOf(resigned(entries, made.seed, "file"));
    expect(failed(otherPurpose)).toEqual([
      `signature: ${BAG.signature}: it was made for "file", not for "evidence@imprimatur"`,
    ]);
  });

  test("whose journal lost its tail is not valid, even where the right key signed for it", async () => {
    const cut = resigned(recomputed(withEntry(entries, BAG.events, cutTail)), made.seed);
    expect(failed(await verdictOf(cut))[0]).toMatch(/^head: bag-info.txt says 50 events .* the journal has 49/);
    const events = cutTail(text(entries, BAG.events));
    const last = /([^\n]*)\n$/.exec(events)?.[1] ?? "";
    const info = (before: string) =>
      before
        .replace(/Journal-Events: .*/, "Journal-Events: 49")
        .replace(/Journal-Head-SHA256: .*/, `Journal-Head-SHA256: ${sha256(last)}`);
    const admitted = withEntry(
      withEntry(entries, BAG.events, () => events),
      BAG.info,
      info,
    );
    const verdict = await verdictOf(resigned(recomputed(admitted), made.seed));
    expect(failed(verdict).some((fault) => fault.startsWith("tasks: "))).toBe(true);
  });

  test("whose journal was edited is not valid, even where the right key signed for it", async () => {
    const edited = withEntry(entries, BAG.events, (lines) =>
      lines.replace('"actor":"operator-script"', '"actor":"editor:somebody"'),
    );
    const verdict = await verdictOf(resigned(recomputed(edited), made.seed));
    expect(failed(verdict)[0]).toMatch(/^chain: event 2 does not follow from the one before/);
  });

  test("with an event's contents or an approval's words exchanged is not valid, even where the right key signed for it", async () => {
    const body = entries.find(({ name }) => name.startsWith(BAG.bodies))?.name ?? "";
    const exchanged = resigned(recomputed(withEntry(entries, body, () => "{}")), made.seed);
    expect(failed(await verdictOf(exchanged))).toEqual([`bodies: ${body} does not have the hash it is named by`]);
    const statement = entries.find(({ name }) => name.endsWith(".statement.json"))?.name ?? "";
    const reworded = withEntry(entries, statement, (words) =>
      words.replace('"approver":"operator-script"', '"approver":"editor:lin"'),
    );
    expect(failed(await verdictOf(resigned(recomputed(reworded), made.seed)))).toEqual([
      `approvals: ${statement} is not the statement agreed to`,
    ]);
  });

  /** The first record in a folder that says this, changed. */
  const edited = (folder: string, from: RegExp, to: string) => () => {
    const name =
      entries.find((entry) => entry.name.startsWith(folder) && from.test(entry.bytes.toString()))?.name ?? "";
    return withEntry(entries, name, (before) => before.replace(from, to));
  };

  test.each<[string, () => Entry[], RegExp]>([
    [
      "an operation that came to nothing",
      edited(BAG.operations, /"state":"confirmed"/, '"state":"rejected"'),
      /^rows: op-\w+ state: the record says rejected, the events confirmed; ledger: /,
    ],
    [
      "another object",
      edited(BAG.operations, /"remoteId":"18427"/, '"remoteId":"99999"'),
      /^rows: .* remoteId: the row says 99999, the events 18427$/,
    ],
    [
      "another target",
      edited(BAG.operations, /"target":"[^"]*"/, '"target":"https://elsewhere.example"'),
      /^rows: op-\w+ intent: the record says [0-9a-f]{64}, the events [0-9a-f]{64}$/,
    ],
    [
      "an answer that was not lost",
      edited(BAG.operations, /"outcome":"unknown"/, '"outcome":"confirmed"'),
      /^rows: .* attempt 1 outcome: the row says confirmed, the events unknown$/,
    ],
    [
      "an attempt left out",
      edited(BAG.operations, /"attempts":\[\{[^\]]*\]/, '"attempts":[]'),
      /^rows: op-\w+ attempts: the record says 0, the events 1$/,
    ],
    [
      "another finding of a look",
      edited(BAG.reconciliations, /"verdict":"confirmed"/, '"verdict":"not_found"'),
      /^rows: .* receipt .*: the row says not_found at .*, the events confirmed at /,
    ],
    [
      "an undo that was done",
      edited(BAG.compensations, /"state":"registered"/, '"state":"done"'),
      /^rows: \S+ state: the record says done, the events registered$/,
    ],
    [
      "a recipient who was reached",
      edited(BAG.receipts, /,bounced,/, ",delivered,"),
      /^rows: .* recipients bounced: the row says 0, the events 1; .*; ledger: /,
    ],
    [
      "a later deadline",
      edited(BAG.tasks, /"deadlineAt":"[^"]*"/, '"deadlineAt":"2030-01-01T00:00:00Z"'),
      /^rows: .* deadlineAt: the row says 1893456000000, the events \d+$/,
    ],
    [
      "an effect removed",
      () => entries.filter(({ name }) => !(name.startsWith(BAG.operations) && name.endsWith(".json"))),
      /^rows: op-\w+ row: the record says missing, the events present; .*; ledger: /,
    ],
    [
      "another count in the ledger",
      edited(BAG.ledger, /,62,1,/, ",63,0,"),
      /^ledger: data\/ledger\.csv has ".*,63,0,.*", the records say otherwise; the records say ".*,62,1,/,
    ],
    [
      "a frozen source that is called another",
      edited(BAG.files, /source-snapshot,[0-9a-f]{64}/, `source-snapshot,${"0".repeat(64)}`),
      /^files_listed: (data\/files\.csv names data\/snapshots\/\S+ with 0{64}|event \d+ tells of artifact)/,
    ],
    [
      "a frozen source taken out of the list",
      () => withEntry(entries, BAG.files, (lines) => lines.replace(/.*source-snapshot.*\n/, "")),
      /^files_listed: .*event \d+ tells of artifact/,
    ],
    [
      "a task less than everything",
      () => entries.filter(({ name }) => !name.startsWith(BAG.tasks)),
      /^tasks: bag-info\.txt says 1 tasks, there are 0; the journal has 1 tasks, and everything was chosen; rows: /,
    ],
  ])("with %s is held against the journal's events, though the right key signed for it", async (_, change, said) => {
    expect(failed(await verdictOf(resigned(recomputed(change()), made.seed))).join("; ")).toMatch(said);
  });

  test.each([BAG.report, BAG.readme, BAG.script])(
    "with %s reworded by whoever has the key says that it is not what the records make",
    async (name) => {
      const reworded = withEntry(entries, name, (words) => words.replace(/the/, "thy"));
      const verdict = await verdictOf(resigned(recomputed(reworded), made.seed));
      expect(failed(verdict)).toEqual([]);
      expect(verdict.checks.find((check) => check.name === "texts")).toMatchObject({
        ok: null,
        detail: expect.stringContaining(`not looked at: ${name} are worded as this program does not`),
      });
    },
  );

  test("whose records are none of ours says so instead of failing itself", async () => {
    const task = entries.find(({ name }) => name.startsWith(BAG.tasks))?.name ?? "";
    for (const change of [
      (before: string) => before.replace(/"createdAt":"[^"]*"/, '"createdAt":"soon"'),
      (before: string) => before.replace(/"context":\{[^}]*\}/, '"context":null'),
      () => "[]",
    ]) {
      const verdict = await verdictOf(resigned(recomputed(withEntry(entries, task, change)), made.seed));
      expect(failed(verdict).join("\n")).toMatch(/^rows: /m);
    }
  });

  test("with one byte changed anywhere is not valid", async () => {
    const whole = readFileSync(made.path);
    const path = join(freshDir(), "changed.zip");
    let state = 20260720;
    const next = (below: number): number => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
    // Seeded places all over, and each of the last 110 bytes, where the archive's own records are.
    const places = [
      ...Array.from({ length: 120 }, () => next(whole.length)),
      ...Array.from({ length: 110 }, (_, index) => whole.length - 1 - index),
    ];
    const unnoticed: number[] = [];
    for (const place of places) {
      const changed = Buffer.from(whole);
      changed[place] = (changed[place] ?? 0) ^ (1 << next(8));
      writeFileSync(path, changed);
      if ((await verdictOn(path)).valid) unnoticed.push(place);
    }
    expect(unnoticed).toEqual([]);
  }, 120_000);

  test("cut short anywhere is not valid", async () => {
    const whole = readFileSync(made.path);
    const path = join(freshDir(), "cut.zip");
    for (const length of [0, 1, 21, 22, 1000, whole.length >> 1, whole.length - 83, whole.length - 1]) {
      writeFileSync(path, whole.subarray(0, length));
      expect((await verdictOn(path)).valid, `${length} bytes`).toBe(false);
    }
  });
});
