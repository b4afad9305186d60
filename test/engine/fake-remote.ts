import { sandboxErrors } from "../../main/adapters/sandbox-protocol";
import type { RawError } from "../../main/domain/errors";
import type { RemoteMailing, RemoteThing } from "../../main/domain/invariants";
import type {
  AdapterManifest,
  CallContext,
  Clock,
  LookAnswer,
  OutgoingRequest,
  RemoteObject,
  WriteAdapter,
  WriteAnswer,
} from "../../main/domain/ports";

/** What becomes of one request. Whatever is carried out is in the remote's own records, answer or no answer. */
export type Fate =
  | "ok"
  /** Carried out, and the answer lost. */
  | "lost"
  /** Lost on its way: never arrives. */
  | "never"
  /** Carried out, and no answer until the client hangs up. */
  | "hang"
  /** Carried out twice, by a proxy that repeats; the answer lost. */
  | "twice"
  /** The same, and an answer that knows of one. */
  | "doubled"
  /** The line could not be opened: nothing left. */
  | "unreachable"
  /** Arrives and is carried out this much later; the client hears nothing. */
  | { afterMs: number }
  /** Refused without anything being done. */
  | { refused: string; retryAfterMs?: number }
  /** Carried out at once; the answer comes when the gate opens, whether or not the client still listens. */
  | { answersAfter: Promise<void> }
  /** Stuck on its way; carried out, and answered, when the gate opens. */
  | { arrivesAfter: Promise<void> };

export type LookFate = "ok" | "down" | "blind" | "stale" | { downFor: number };

interface Thing {
  remoteId: string;
  slot: string;
  key: string;
  intentHash: string;
  contentHash: string;
  taskId: string;
  appliedKeys: string[];
  visibleAt: number;
}

interface Asked {
  key: string;
  intentHash: string;
  contentHash: string;
  taskId: string;
  recipients: string[];
}

export interface RemoteOptions {
  system: "cms" | "mail";
  firstId: number;
  visibilityMs?: number;
  query?: Partial<AdapterManifest["query"]>;
  retry?: Partial<AdapterManifest["retry"]>;
}

/**
 * A website or a mail provider with records of its own. It knows nothing of keys being unique: a second create makes a second
 * object, as real ones do. What it learns it learns from the bytes of requests.
 */
export class FakeRemote implements WriteAdapter {
  readonly manifest: AdapterManifest;
  readonly things: Thing[] = [];
  readonly mailings: RemoteMailing[] = [];
  readonly calls: { phase: string; key: string; at: number }[] = [];
  readonly looks: number[] = [];
  /** Fates of the next requests, in their order; what is not told is ok. */
  fates: Fate[] = [];
  lookFates: LookFate[] = [];
  private nextId: number;

  constructor(
    private readonly clock: Clock,
    private readonly options: RemoteOptions,
  ) {
    this.nextId = options.firstId;
    const { system } = options;
    this.manifest = {
      name: system,
      version: 1,
      key: { where: "key", unique: false },
      query: {
        reliable: true,
        visibilityDelayMs: 2_000,
        horizonMs: 60_000,
        keyRetentionMs: null,
        lookBudget: 8,
        ...options.query,
      },
      retry: { resendAfterNotSent: true, resendAfterProvenAbsent: true, maxAttempts: 5, ...options.retry },
      approvalBinds: system === "cms" ? ["contentHash"] : ["pageUrl", "bodyHash", "audienceHash"],
      compensation: { action: "undo", grade: system === "cms" ? "B" : "C" },
      errors: sandboxErrors,
      callTimeoutMs: 30_000,
      deliveryObservable: true,
    };
  }

  async send(request: OutgoingRequest, context: CallContext): Promise<WriteAnswer> {
    this.calls.push({ phase: request.phase, key: request.operationKey, at: this.clock.now() });
    const fate = this.fates.shift() ?? "ok";
    if (fate === "never") return unknown("reset");
    if (fate === "unreachable") return { kind: "not_sent", error: raw("before_send", "refused") };
    if (fate === "ok") return this.carryOut(request);
    if (fate === "lost") {
      this.carryOut(request);
      return unknown("timeout");
    }
    if (fate === "twice") {
      this.carryOut(request);
      this.carryOut(request);
      return unknown("http_504");
    }
    if (fate === "doubled") {
      this.carryOut(request);
      return this.carryOut(request);
    }
    if (fate === "hang") {
      this.carryOut(request);
      await aborted(context.signal);
      return unknown("timeout");
    }
    if ("refused" in fate)
      return {
        kind: "rejected",
        error: { ...raw("after_send", fate.refused), retryAfterMs: fate.retryAfterMs ?? null },
      };
    if ("afterMs" in fate) {
      void this.clock.sleep(fate.afterMs).then(() => this.carryOut(request));
      return unknown("timeout");
    }
    if ("answersAfter" in fate) {
      const answer = this.carryOut(request);
      await fate.answersAfter;
      return answer;
    }
    await fate.arrivesAfter;
    return this.carryOut(request);
  }

  async look(query: Parameters<WriteAdapter["look"]>[0]): Promise<LookAnswer> {
    this.looks.push(this.clock.now());
    const asked = `key=${query.createKey}`;
    const fate = this.lookFates.shift() ?? "ok";
    if (fate === "down" || typeof fate === "object") {
      const retryAfterMs = typeof fate === "object" ? fate.downFor : null;
      return { kind: "failed", error: { ...raw("query", "http_503"), retryAfterMs }, query: asked };
    }
    const isAsked = (thing: Thing) =>
      query.remoteId === null
        ? thing.key === query.createKey || thing.slot === query.slot
        : thing.remoteId === query.remoteId;
    const found = this.things.filter((thing) => isAsked(thing) && thing.visibleAt <= this.clock.now());
    const objects = fate === "ok" ? found.map(toObject) : [];
    return { kind: "seen", able: fate !== "blind", objects, query: asked };
  }

  /** The remote's records as an independent checker wants them. */
  records(): RemoteThing[] {
    return this.things.map(({ remoteId, key, slot, contentHash }) => ({
      system: this.options.system,
      remoteId,
      key,
      place: slot,
      isUp: true,
      contentHash,
    }));
  }

  /** Puts somebody else's object into a place. */
  occupy(slot: string, key = "somebody else's"): void {
    this.things.push(this.thing({ key, intentHash: "x", contentHash: "x", taskId: "x", recipients: [] }, slot));
  }

  private carryOut(request: OutgoingRequest): WriteAnswer {
    const asked = JSON.parse(new TextDecoder().decode(request.bytes)) as Asked;
    const thing = request.phase === "create" ? this.thing(asked, request.slot) : this.find(request.remoteId);
    if (!thing) return { kind: "rejected", error: raw("after_send", "http_404") };
    if (request.phase === "create") this.things.push(thing);
    else thing.appliedKeys.push(asked.key);
    if (request.phase === "trigger")
      for (const recipientId of asked.recipients)
        this.mailings.push({ key: asked.key, place: thing.slot, recipientId });
    const observed = toObject(thing);
    return { kind: "confirmed", remoteId: thing.remoteId, url: observed.url, observed, httpStatus: 201 };
  }

  private find(remoteId: string | null): Thing | undefined {
    return this.things.find((thing) => thing.remoteId === remoteId);
  }

  private thing({ key, intentHash, contentHash, taskId }: Asked, slot: string): Thing {
    const remoteId = String(this.nextId++);
    const visibleAt = this.clock.now() + (this.options.visibilityMs ?? 0);
    return { remoteId, slot, key, intentHash, contentHash, taskId, appliedKeys: [], visibleAt };
  }
}

const toObject = ({ remoteId, key, intentHash, contentHash, taskId, appliedKeys }: Thing): RemoteObject => ({
  remoteId,
  externalKey: key,
  intentHash,
  contentHash,
  taskId,
  url: "https://site.example/w30",
  state: "published",
  revision: 1,
  appliedKeys: [...appliedKeys],
});

const raw = (phase: RawError["phase"], code: string): RawError => ({
  phase,
  code,
  httpStatus: Number(/^http_(\d+)/.exec(code)?.[1]) || null,
  reference: null,
  retryAfterMs: null,
});
const unknown = (code: string): WriteAnswer => ({ kind: "unknown", error: raw("after_send", code) });

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
