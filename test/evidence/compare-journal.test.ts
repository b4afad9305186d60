import { describe, expect, it } from "vitest";
import { openEvidenceRows } from "../../db/evidence-rows";
import { sha256 } from "../../main/domain/hashing";
import { BAG } from "../../main/evidence/bag-layout";
import { compareJournal } from "../../main/evidence/compare-journal";
import { infoLine } from "../../main/evidence/manifest";
import { VerifiedBag } from "../../main/evidence/verified-bag";
import { exported, packed, recomputed, text, unpacked, withEntry, workspaceWith } from "./bundle-kit";

const journalOf = (dir: string) => {
  const opened = openEvidenceRows(dir);
  if (opened.kind === "problem") throw new Error(opened.problem.detail);
  return opened.rows;
};

describe("a bundle held against a journal", () => {
  it("is the same, an older part, more than the journal has, or another one from a named event on", async () => {
    const dir = await workspaceWith("2026-W30");
    const { path, json } = await exported(dir);
    const entries = await unpacked(path);
    const journal = journalOf(dir);
    const held = async (file: string, against = journal) => {
      const tagManifest = text(await unpacked(file), BAG.tagManifest);
      const bag = await VerifiedBag.open(file, sha256(tagManifest));
      try {
        return await compareJournal(bag, against);
      } finally {
        await bag.close();
      }
    };
    const { events } = json;
    expect(await held(path)).toEqual({ result: "same", events, journalEvents: events });

    const shortened = { ...journal, events: events - 2, headers: () => [...journal.headers()].slice(0, -2) };
    expect(await held(path, shortened)).toMatchObject({ result: "journal_is_older", journalEvents: events - 2 });
    const cut = recomputed(
      withEntry(entries, BAG.events, (all) => all.split("\n").slice(0, 20).join("\n").concat("\n")),
    );
    expect(await held(await packed(cut))).toMatchObject({ result: "older_part", events: 20, journalEvents: events });

    const line = (all: string) => all.replace('"seq":7,', '"seq":7 ,');
    const rewritten = recomputed(withEntry(entries, BAG.events, line));
    expect(await held(await packed(rewritten))).toMatchObject({ result: "different", at: 7 });
    const renamed = recomputed(
      withEntry(entries, BAG.info, (all) => all.replace(/Workspace-Id: .*\n/, infoLine("Workspace-Id", "another"))),
    );
    expect(await held(await packed(renamed))).toMatchObject({ result: "other_workspace", events });
    journal.close();
  }, 60_000);

  it("is not read on when a file was exchanged after it had been verified", async () => {
    const { path } = await exported(await workspaceWith("2026-W30"));
    const entries = await unpacked(path);
    const bag = sha256(text(entries, BAG.tagManifest));
    const exchanged = await packed(withEntry(entries, BAG.events, (all) => all.replace('"seq":7,', '"seq":8,')));
    const opened = await VerifiedBag.open(exchanged, bag);
    await expect(opened.readLines(BAG.events, () => undefined)).rejects.toThrow("changed after it was verified");
    await opened.close();
    await expect(VerifiedBag.open(path, "0".repeat(64))).rejects.toThrow("changed after it was verified");
  }, 60_000);
});
