import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach } from "vitest";
import { type Blobs, openBlobs } from "../../db/blobs";
import { type Applied, type ExecuteResult, Journal, type Rules } from "../../db/journal";
import { type JournalDatabase, openJournal, openReader, type Sqlite } from "../../db/open";
import type { Actor, Command, CommandContext, TrustedReading } from "../../main/domain/commands";
import { briefingDefinition } from "../../main/pipeline/briefing/definition";
import type { AudienceMember } from "../../main/pipeline/briefing/ports";

/** Monday of 2026-W30, 08:00 in Shanghai: two and a half hours before the edition is due. */
export const MONDAY_8 = Date.parse("2026-07-20T00:00:00Z");
export const EDITOR = "editor:lin";
export const EXECUTOR = "executor:test";

const open: World[] = [];
afterEach(() => {
  for (const world of open.splice(0)) world.close();
});

/** One workspace on disk with a real journal and real blobs, and a clock that the test moves. Closed after the test. */
export class World {
  readonly dir = mkdtempSync(join(tmpdir(), "imprimatur-world-"));
  readonly database: JournalDatabase;
  readonly journal: Journal;
  readonly blobs: Blobs;
  /** Who gets the mailing; changed by the test as an import would. */
  members: AudienceMember[];
  importVersion = 1;
  /** False: as after a start without a network. */
  isTimeTrusted = true;
  private readonly readers: Sqlite[] = [];

  /** @param rules where the domain's own are not what is tested */
  constructor(
    public now: number = MONDAY_8,
    rules?: Rules,
  ) {
    const opened = openJournal({
      dir: this.dir,
      now,
      kind: "sandbox",
      workspaceId: "world",
      durability: "simulation",
    });
    if (opened.kind === "problem") throw new Error(opened.problem.detail);
    this.database = opened.journal;
    this.blobs = openBlobs(this.dir, { durability: "simulation" });
    this.journal = new Journal({
      sqlite: this.database.sqlite,
      definitions: [briefingDefinition],
      crash: { reach: () => undefined },
      now: () => this.now,
      ...(rules ? { rules } : {}),
    });
    this.members = Array.from({ length: 5 }, (_, index) => member(`R${index + 1}`));
    open.push(this);
  }

  trusted(): TrustedReading {
    return { at: this.now, trusted: this.isTimeTrusted, source: this.isTimeTrusted ? "world" : "wall-clock" };
  }

  /** The journal's one handler. A second passes before each command, so that no two events are of one moment. */
  execute(command: Command, actor: Actor, more: Partial<CommandContext> = {}): ExecuteResult {
    this.now += 1_000;
    return this.journal.execute(command, { actor, now: this.now, trusted: this.trusted(), ...more });
  }

  /** As `execute`, where the test's story needs it to be applied. */
  must(command: Command, actor: Actor, more: Partial<CommandContext> = {}): Applied {
    const answer = this.execute(command, actor, more);
    if (answer.result === "applied") return answer;
    throw new Error(`${"event" in command ? String(command.event) : command.type}: ${JSON.stringify(answer)}`);
  }

  /** A read-only connection as the screens have it. */
  openReader(): Sqlite {
    const reader = openReader(this.database.path);
    this.readers.push(reader);
    return reader;
  }

  close(): void {
    for (const reader of this.readers.splice(0)) reader.close();
    this.database.close();
    rmSync(this.dir, { recursive: true, force: true });
  }
}

/** A recipient; another address is another digest. */
export function member(recipientId: string, group = "paying", address = recipientId): AudienceMember {
  return { recipientId, group, digest: `digest-of-${address}` };
}
