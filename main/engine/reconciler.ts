import { judgeLook, lookAgainAt, objectToAskFor } from "../domain/look";
import type { OperationRow } from "../domain/records";
import { hostOf } from "./breaker";
import type { EngineOptions, PipelineRuntime, WorkContext } from "./runtime";

/** Learns what happened by asking, never by sending again (domain 6). Every look is a receipt. */
export class Reconciler {
  constructor(private readonly options: EngineOptions) {}

  /** One look at the remote by key: begun on record, asked, judged, recorded. */
  async look(context: WorkContext, operation: OperationRow, pipeline: PipelineRuntime): Promise<void> {
    const { clock, crash } = this.options;
    const adapter = this.options.adapterOf(operation.adapter);
    const createKey = pipeline.createKeyOf(context.view, operation);
    const query = `key=${operation.operationKey}`;
    const started = context.execute({ type: "start_look", taskId: operation.taskId, operationId: operation.id, query });
    if (started.result !== "applied") return;
    const timeout = clock.timeout(adapter.manifest.callTimeoutMs);
    const point = `${operation.kind}.${operation.phase}.look`;
    try {
      crash.reach(`before-call:${point}`);
      const remoteId = objectToAskFor(context.view, operation);
      const { operationKey, slot, phase, target } = operation;
      const answer = await adapter.look(
        { operationKey, createKey, slot, phase, remoteId, target },
        { signal: timeout.signal, now: clock.now() },
      );
      crash.reach(`after-call:${point}`);
      if (answer.kind === "seen") this.options.breaker.succeeded(hostOf(target));
      const moment = { now: clock.now(), trusted: this.options.trusted.read() };
      const judged = judgeLook(operation, createKey, answer, adapter.manifest, moment);
      // Confirmed while an earlier request of it may still come true: seen once is not seen for good.
      const again =
        judged.verdict === "confirmed"
          ? lookAgainAt(context.view, operation, adapter.manifest, moment.now)
          : judged.nextLookAt;
      context.execute({
        type: "record_look",
        taskId: operation.taskId,
        operationId: operation.id,
        query: answer.query,
        ...judged,
        nextLookAt: again,
      });
    } finally {
      timeout.cancel();
    }
  }
}
