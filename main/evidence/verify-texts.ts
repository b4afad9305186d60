import type { Sha256, TaskId } from "../domain/ids";
import type { IncidentRow } from "../domain/records";
import { BAG } from "./bag-layout";
import { readSelection } from "./bundle-about";
import { type ChainNotes, eventRow } from "./chain-notes";
import type { IncidentTrace } from "./evidence-source";
import { type HeldTask, readBody } from "./held-task";
import type { Html } from "./html";
import { readJournalCheck } from "./journal-check";
import type { PayloadReader } from "./payload-reader";
import { verifyReadme } from "./readme";
import { reportPage } from "./report";
import { reportIncidents } from "./report-incidents";
import { reportTask } from "./report-task";
import type { ReportLanguage } from "./report-words";
import { isFormFault, storedRow } from "./stored-row";
import type { ListedLine } from "./verify-files";
import { eventsNamed } from "./verify-incidents";
import { type PayloadRecord, parseRecord } from "./verify-records";
import type { VerifyRun } from "./verify-run";
import { VERIFY_SCRIPT } from "./verify-script";
import type { ListedFile, WithheldReason } from "./withheld";

/** The tag files, as far as they are texts that are written anew here. */
export type TagTexts = ReadonlyMap<string, Buffer>;

/** Tells the tasks and incidents once more from their records, to be held against the report that came with them. */
export class Retelling {
  readonly language: ReportLanguage;
  private readonly told: Html[] = [];

  constructor(private readonly report: string) {
    this.language = report.includes('<html lang="zh-CN">') ? "zh-CN" : "en";
  }

  addTask({ evidence }: HeldTask, lines: readonly ListedLine[]): void {
    this.told.push(reportTask(evidence, lines.map(fileOf), this.language));
  }

  async addIncidents(records: readonly PayloadRecord[], notes: ChainNotes, reader: PayloadReader): Promise<void> {
    const traces: IncidentTrace[] = [];
    for (const record of records) {
      const { opened, ended, worked: _worked, ...row } = parseRecord(record) ?? {};
      const [first, last] = [opened, ended].map((mark) => eventsNamed({ opened: mark })[0] ?? 0);
      const eventAt = async (seq = 0) => {
        const event = notes.event(seq);
        return event && eventRow(event, await readBody(reader, event.header.payloadHash));
      };
      const told = { opened: await eventAt(first), ended: await eventAt(last), worked: [] };
      traces.push({ row: storedRow(row) as unknown as IncidentRow, ...told });
    }
    try {
      this.told.unshift(reportIncidents(traces, this.language));
    } catch (error) {
      // What is wrong with the records is said where they are judged.
      if (!isFormFault(error)) throw error;
    }
  }

  /** @returns whether the report is what this program makes of the records */
  isSame(info: ReadonlyMap<string, string>): boolean {
    const value = (label: string) => info.get(label) ?? "";
    const about = readSelection(value("Selection"));
    if (about === null) return false;
    const facts = {
      ...{ about, label: value("External-Identifier"), at: Date.parse(value("Created-At")) },
      ...{ journalFaults: readJournalCheck(value("Journal-Check")), isSandbox: value("Workspace-Kind") === "sandbox" },
      ...{ identity: value("Signer-Identity"), fingerprint: value("Signer-Fingerprint") },
      ...{ events: Number(value("Journal-Events")), head: value("Journal-Head-SHA256") },
    };
    return !Number.isNaN(facts.at) && reportPage(facts, this.told, this.language) === this.report;
  }
}

/**
 * The texts for people are made of the records and nothing else, so they can be made once more. Another version of the program
 * words them in another way: then this stays open, and the records count.
 */
export function verifyTexts(
  run: VerifyRun,
  texts: TagTexts,
  info: ReadonlyMap<string, string>,
  retelling: Retelling,
): void {
  const value = (label: string) => info.get(label) ?? "";
  const [label, identity, fingerprint] = ["External-Identifier", "Signer-Identity", "Signer-Fingerprint"].map(value);
  const readme = verifyReadme({ label: label ?? "", identity: identity ?? "", fingerprint: fingerprint ?? "" });
  const isText = (name: string, text: string) => texts.get(name)?.toString("utf8") === text;
  const other = [
    ...(isText(BAG.readme, readme) ? [] : [BAG.readme]),
    ...(isText(BAG.script, VERIFY_SCRIPT) ? [] : [BAG.script]),
    ...(retelling.isSame(info) ? [] : [BAG.report]),
  ];
  const fine = "the texts for people say what the records say";
  if (other.length === 0) run.answer("texts", true, fine);
  else
    run.leaveOpen(
      "texts",
      `${other.join(", ")} are worded as this program does not: by another version of it, or changed by whoever signed`,
    );
}

function fileOf({ taskId, kind, hash, bytes, title, licence, path, withheld }: ListedLine): ListedFile {
  const place = path === "" ? { withheld: withheld as WithheldReason } : { path };
  const nothing = { mediaType: "", url: "" };
  return { taskId: taskId as TaskId, kind, hash: hash as Sha256, bytes, title, licence, ...nothing, place };
}
