import type { SandboxConfig } from "./config";
import { chooseFault, type FaultRule, type FaultTarget } from "./faults";
import { RecordFile } from "./records";
import { applyRecord, emptyState, type SandboxRecord, type SandboxState } from "./state";

/** Records that only count reads. They acknowledge nothing, so they need not wait for the disk. */
const relaxedTypes: ReadonlySet<string> = new Set(["call", "source-read", "fault-passed"]);

/** The remote's memory: the state, and the file it is folded from. Whatever changes the one was first written to the other. */
export class Store {
  private constructor(
    readonly state: SandboxState,
    private readonly file: RecordFile,
    readonly cutBytes: number,
    private readonly onRecord: (record: SandboxRecord) => void,
  ) {}

  /**
   * `onRecord` hears of every record after it was written and taken over.
   * @throws Error when the file is damaged anywhere but in its last, torn line.
   */
  static open(path: string, onRecord: (record: SandboxRecord) => void = () => undefined): Store {
    const { file, records, cutBytes } = RecordFile.open(path);
    const state = emptyState();
    try {
      // Our own file, written by this code: the fold refuses what it does not know.
      for (const record of records) applyRecord(state, record as SandboxRecord);
    } catch (error) {
      file.close();
      throw error;
    }
    return new Store(state, file, cutBytes, onRecord);
  }

  append(record: SandboxRecord): void {
    this.file.append(record, !relaxedTypes.has(record.type));
    applyRecord(this.state, record);
    this.onRecord(record);
  }

  /** The time that queries and deliveries go by: a remote's time never runs backwards, whatever a client's clock does. */
  horizon(at: number): number {
    return Math.max(at, this.state.seenAt);
  }

  nextNumber(): number {
    return this.state.lastNumber + 1;
  }

  configure(change: Partial<SandboxConfig>): void {
    const config = { ...this.state.config, ...change };
    if (JSON.stringify(config) !== JSON.stringify(this.state.config)) this.append({ type: "config", config });
  }

  /** Uses up the rules for one request, and returns the one that hits it. */
  takeFault(target: FaultTarget, at: number): FaultRule | null {
    const { passed, hit } = chooseFault(this.state.faults, target);
    for (const id of passed) this.append({ type: "fault-passed", id });
    if (hit !== null) this.append({ type: "fault-fired", id: hit.id, at });
    return hit;
  }

  close(): void {
    this.file.close();
  }
}
