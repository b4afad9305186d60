import { Journal } from "../../db/journal";
import { loadJournal } from "../../db/load-journal";
import { reconciliationCandidates } from "../../db/queries/reconciliation";
import { SandboxControl } from "../../main/adapters/sandbox-control";
import { checkInvariants } from "../../main/domain/invariants";
import type { CrashPoints, WriteAdapter } from "../../main/domain/ports";
import { DailyReconciliation, type DailyReconciliationOptions } from "../../main/engine/daily-reconciliation";
import { briefingDefinition } from "../../main/pipeline/briefing/definition";
import { briefingRuntime } from "../../main/pipeline/briefing/runtime";
import type { SandboxConfig } from "../../main/sandbox/config";
import { call } from "../sandbox/world";
import { Killed, noCrash, UndoWorld } from "./compensator-world";

const DAY_MS = 86_400_000;

export interface ItemRow {
  kind: string;
  subject: string;
  operation_id: string | null;
  owner: string;
  stage: string;
}

/** An edition that went out and ended, the remotes it went to, and the job that holds the two against each other a day later. */
export class ReconciledWorld {
  private constructor(readonly undo: UndoWorld) {}

  static async open(
    config: Partial<SandboxConfig> = {},
    faults: readonly Record<string, unknown>[] = [],
  ): Promise<ReconciledWorld> {
    const undo = await UndoWorld.open(config);
    for (const fault of faults) await undo.fault(fault);
    await undo.mailed();
    await undo.drive();
    if (undo.walk.state !== "succeeded") throw new Error(`the edition ended as ${undo.walk.state}`);
    undo.world.now += DAY_MS;
    return new ReconciledWorld(undo);
  }

  /** The job as a process has it that was started just now. */
  job(more: Partial<DailyReconciliationOptions> = {}, crash: CrashPoints = noCrash): DailyReconciliation {
    const { world, walk, clock } = this.undo;
    const { ports } = walk;
    const { sqlite } = world.database;
    const runtime = briefingRuntime(ports);
    const adapterOf = (name: string): WriteAdapter => {
      const { adapter } = name === ports.cms.name ? ports.cms : ports.mail;
      return {
        manifest: adapter.manifest,
        send: () => Promise.reject(new Error("a reconciliation sends nothing")),
        look: (query, context) => {
          crash.reach(`${name}.look`);
          return adapter.look(query, context);
        },
      };
    };
    return new DailyReconciliation({
      journal: new Journal({ sqlite, definitions: [briefingDefinition], crash: noCrash, now: () => world.now }),
      clock,
      trusted: { read: () => world.trusted() },
      breaker: ports.breaker,
      candidates: (since) => reconciliationCandidates(sqlite, since),
      pipelineOf: () => runtime,
      adapterOf,
      checkItself: async () => checkInvariants(loadJournal(sqlite)),
      ...more,
    });
  }

  daily(job = this.job()) {
    return job.run({ actor: "system", isDaily: true });
  }

  /** A round whose process dies in the middle. */
  async killed(crash: CrashPoints): Promise<void> {
    const outcome = await this.daily(this.job({}, crash)).catch((error: unknown) => error);
    if (!(outcome instanceof Killed)) throw new Error("it did not die");
  }

  nextDay(): void {
    this.undo.world.now += DAY_MS;
  }

  rows<T>(sql: string): T[] {
    return this.undo.world.database.sqlite.prepare<[], T>(sql).all();
  }

  items(): ItemRow[] {
    return this.rows("SELECT * FROM recovery_item WHERE kind = 'reconciliation_difference' ORDER BY rowid");
  }

  incidents(): { rule: string; scope: string; scope_value: string; closed_at: number | null; opened_by: string }[] {
    return this.rows("SELECT rule, scope, scope_value, closed_at, opened_by FROM incident ORDER BY rowid");
  }

  rounds(type = "ReconciliationRoundRecorded"): Record<string, unknown>[] {
    const rows = this.rows<{ payload: string }>(`SELECT payload FROM event WHERE type = '${type}' ORDER BY seq`);
    return rows.map(({ payload }) => JSON.parse(payload) as Record<string, unknown>);
  }

  looks(): { verdict: string; actor: string; able: number }[] {
    return this.rows("SELECT verdict, actor, able FROM reconciliation WHERE actor = 'system' ORDER BY rowid");
  }

  /** How often each of the remotes' writing calls was made, and what came of them. */
  async written(): Promise<unknown> {
    const { cms, mail } = await this.undo.remotely();
    const { queries: _asked, reports: _read, ...mailed } = mail;
    return { cms: [cms.createCalls, cms.updateCalls, cms.statusCalls, cms.objects], mail: mailed };
  }

  /** Somebody signed in at the website, with nothing of ours in between. */
  byHand(method: "PUT" | "POST", path: string, body: Record<string, unknown>) {
    const { remote, world } = this.undo;
    return call(method, `${remote.url}${path}`, body, new Date(world.now - 60_000).toISOString());
  }

  configure(change: Parameters<SandboxControl["configure"]>[0]) {
    return new SandboxControl(this.undo.remote.url).configure(change);
  }
}
