import { sha256 } from "../../domain/hashing";
import { Bug, type Instant } from "../../domain/ids";
import { TASK_CALL_BUDGET } from "../../domain/retry";
import type { TaskView } from "../../domain/view";
import type { Work, WorkContext } from "../../engine/runtime";
import { type ThawedSource, thawSources } from "./extracted-sources";
import { contextOf } from "./frozen";
import { readOrigins } from "./origins";
import { MINUTE } from "./policies";
import type { BriefingPorts } from "./ports";

/** Longer than a review takes (its median is seven minutes): who decides at once reads what was just collected. */
const FIRST_RECHECK_MS = 10 * MINUTE;
/** Doubling, so that a night of waiting costs a handful of reads of each source. */
const LONGEST_RECHECK_MS = 8 * 60 * MINUTE;

/** When the sources are read again while the content waits; null once that could eat calls which publishing will need. */
export function nextRecheckAt(view: TaskView): Instant | null {
  const { task } = view;
  if (task.callsUsed > TASK_CALL_BUDGET / 2) return null;
  const rechecks = contextOf(task, "rechecks") ?? 0;
  return task.stateSince + Math.min(FIRST_RECHECK_MS * 2 ** rechecks, LONGEST_RECHECK_MS * (rechecks + 1));
}

/**
 * Reads the frozen sources again while the content waits for its approval. A source that now says something else is warned
 * about, once for what it says; what was frozen stays (scenario S04). A read that fails proves nothing.
 */
export function recheckSourcesWork(ports: BriefingPorts): Work {
  return async (context) => {
    const { view } = context;
    const policy = view.definition.policies["sources"];
    if (!policy) throw new Bug("reading sources again without a policy");
    const queue = thawSources(ports, view, readOrigins(view));
    const answers = new Map<string, string | null>();
    const sources = [...queue];
    const worker = async () => {
      for (let source = queue.shift(); source !== undefined && !context.signal.aborted; source = queue.shift())
        answers.set(source.config.id, await changedText(ports, context, source, policy.callTimeoutMs));
    };
    await Promise.all(Array.from({ length: policy.parallel }, worker));
    if (!context.signal.aborted) tell(context, sources, answers);
  };
}

/** @returns the hash of what the source says now, where it is not what was frozen; else null. */
async function changedText(
  ports: BriefingPorts,
  context: WorkContext,
  source: ThawedSource,
  callTimeoutMs: number,
): Promise<string | null> {
  const { clock } = context;
  const timeout = clock.timeout(callTimeoutMs);
  try {
    const read = await ports.reader.read(source.config, { signal: timeout.signal, now: clock.now() });
    if (read.kind === "failed") return null;
    const { bytes, contentType, finalUrl } = read;
    const now = ports.parser.extract({ bytes, contentType, finalUrl, format: source.config.format });
    // Held against each other as texts: a new date of generation in the bytes is no change to a reader.
    if (now.kind === "unusable" || now.source.text === source.extracted?.text) return null;
    return sha256(now.source.text);
  } finally {
    timeout.cancel();
  }
}

function tell(
  context: WorkContext,
  sources: readonly ThawedSource[],
  answers: ReadonlyMap<string, string | null>,
): void {
  const { task } = context.view;
  const known = lines(contextOf(task, "changedSources"));
  const warnings = lines(contextOf(task, "warnings"));
  const fresh = sources.flatMap(({ config, snapshotHash }) => {
    const textHash = answers.get(config.id) ?? null;
    return textHash === null || known.has(`${config.id} ${textHash}`)
      ? []
      : [{ sourceId: config.id, snapshotHash, textHash }];
  });
  for (const change of fresh) {
    known.add(`${change.sourceId} ${change.textHash}`);
    warnings.add(`source_changed:${change.sourceId}`);
    const warned = context.execute({
      type: "note",
      taskId: task.id,
      event: "SourceChangeWarned",
      operationId: null,
      payload: change,
      evidenceRefs: [change.snapshotHash],
      context: { changedSources: [...known].join("\n"), warnings: [...warnings].join("\n") },
    });
    if (warned.result !== "applied") return;
  }
  context.execute({
    type: "note",
    taskId: task.id,
    event: "SourcesReread",
    operationId: null,
    payload: { read: answers.size, changed: fresh.length },
    context: { rechecks: (contextOf(task, "rechecks") ?? 0) + 1 },
    calls: answers.size,
  });
}

const lines = (text: string | null): Set<string> => new Set((text ?? "").split("\n").filter((line) => line !== ""));
