import type { ErrorTable } from "../domain/errors";
import { classify, type RawError } from "../domain/errors";
import type { Instant } from "../domain/ids";
import type { CallContext, Clock, LookAnswer, OutgoingRequest, WriteAnswer } from "../domain/ports";
import type { Life } from "./crash";
import type { Dice } from "./dice";
import type { Faults, WriteFate } from "./faults";
import type { Body, RemoteAnswer, RemoteCore } from "./remote-core";

/** What the in-process remotes have in common: the line to them, which loses, delays and garbles by the world's faults. */
export interface Line {
  core: RemoteCore;
  /** The remote's own time, which no pause of a client stops. */
  clock: Clock;
  dice: Dice;
  faults: Faults;
  /** Told at once of everything that is carried out, before anybody hears of it. */
  onCommit(request: OutgoingRequest, answer: RemoteAnswer, isRemoteFault: boolean): void;
  /** Signed out, the remote answers nothing until a person signs in again. */
  login: { isValid: boolean };
  /** A number of the world's own, so that recipients fare differently in each. */
  salt: number;
  /** How far queries lag behind writes at this moment. */
  lagMs(): number;
}

/** What a client came to know: a status with an object, or nothing. */
type Heard =
  | { kind: "answered"; status: number; code: string; answer: RemoteAnswer; hintMs: number | null }
  | { kind: "silent"; code: string }
  | { kind: "not_sent"; code: string };

/** The longest a request is on its way: short of any time-out, long enough for others to act in between. */
const LATENCY_MS = 2_500;
/** A write that is carried out later is so at the latest by now: with the longest lag still within the horizon of 60 s. */
const LATEST_COMMIT_MS = 45_000;

/** Carries one write to the remote and back. */
export async function deliver(
  line: Line,
  life: Life,
  request: OutgoingRequest,
  context: CallContext,
  carryOut: (core: RemoteCore, body: Body, at: Instant) => RemoteAnswer,
): Promise<Heard> {
  const drawn = line.faults.write(`${request.kind}.${request.phase}`);
  // What a remote makes twice by itself must at least be an object that can be seen twice.
  const fate = drawn === "twice" && request.phase !== "create" ? "answer_lost" : drawn;
  const commit = (isRemoteFault = false): RemoteAnswer => {
    const body = JSON.parse(new TextDecoder().decode(request.bytes)) as Body;
    const answer = carryOut(line.core, body, line.clock.now());
    line.onCommit(request, answer, isRemoteFault);
    return answer;
  };
  if (fate === "not_sent") return passing(life, { kind: "not_sent", code: "refused" });
  await line.clock.sleep(line.dice.between(1, LATENCY_MS));
  const heard = await meet(line, fate, context, commit);
  return passing(life, heard);
}

async function passing<T>(life: Life, value: T): Promise<T> {
  await life.pass();
  return value;
}

async function meet(
  line: Line,
  fate: WriteFate,
  context: CallContext,
  commit: (isRemoteFault?: boolean) => RemoteAnswer,
): Promise<Heard> {
  const silent = async (code: string): Promise<Heard> => {
    if (code === "timeout") await aborted(context.signal);
    return { kind: "silent", code };
  };
  if (fate === "auth") line.login.isValid = false;
  if (!line.login.isValid) return answered({ status: 401, object: null });
  switch (fate) {
    case "answer_lost":
      commit();
      return silent("timeout");
    case "request_lost":
      return silent("timeout");
    case "cut":
      commit();
      return silent("reset");
    case "error_after":
      commit();
      return answered({ status: line.dice.pick([500, 502, 504]), object: null });
    case "error_before":
      return answered({ status: 500, object: null });
    case "unparsable":
      commit();
      return { ...answered({ status: 200, object: null }), code: "unparsable" };
    case "later":
      void line.clock.sleep(line.dice.between(1_000, LATEST_COMMIT_MS - LATENCY_MS)).then(() => commit());
      return silent(line.dice.pick(["timeout", "reset"]));
    case "too_late":
      void line.clock.sleep(line.dice.between(90_000, 600_000)).then(() => commit());
      return silent(line.dice.pick(["timeout", "reset"]));
    case "twice":
      commit();
      commit(true);
      return silent("timeout");
    case "conflict":
      return answered({ ...commit(), status: 409 });
    case "busy":
      return {
        ...answered({ status: 429, object: null }),
        code: "http_429_unprocessed",
        hintMs: line.dice.pick([null, 5_000, 40_000]),
      };
    default: {
      const answer = commit();
      return answered(answer);
    }
  }
}

const answered = (answer: RemoteAnswer): Extract<Heard, { kind: "answered" }> => ({
  kind: "answered",
  status: answer.status,
  code: `http_${answer.status}`,
  answer,
  hintMs: null,
});

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

export const rawError = (
  phase: RawError["phase"],
  code: string,
  httpStatus: number | null = null,
  retryAfterMs: number | null = null,
): RawError => ({ phase, code, httpStatus, reference: null, retryAfterMs });

/** What an adapter makes of it, by its error table and nothing else. */
export function judge(heard: Heard, errors: ErrorTable): WriteAnswer {
  if (heard.kind === "not_sent") return { kind: "not_sent", error: rawError("before_send", heard.code) };
  if (heard.kind === "silent") return { kind: "unknown", error: rawError("after_send", heard.code) };
  const { status, code, answer, hintMs } = heard;
  if ([200, 201, 202].includes(status) && answer.object !== null) {
    const { object } = answer;
    return { kind: "confirmed", remoteId: object.remoteId, url: object.url, observed: object, httpStatus: status };
  }
  const error = rawError("after_send", code, status, hintMs);
  const isNo = ["auth", "permanent_input", "business_conflict", "transient"].includes(classify(errors, error));
  return { kind: isNo ? "rejected" : "unknown", error };
}

/** Asks one question: lost, refused or answered from a replica that lags. */
export async function ask(
  line: Line,
  life: Life,
  context: CallContext,
  query: string,
  read: (core: RemoteCore, until: Instant) => Extract<LookAnswer, { kind: "seen" }>["objects"],
): Promise<LookAnswer> {
  const fate = line.faults.read("query");
  const failed = (code: string, status: number | null, hintMs: number | null = null): LookAnswer => ({
    kind: "failed",
    error: rawError("query", code, status, hintMs),
    query,
  });
  await line.clock.sleep(line.dice.between(1, LATENCY_MS / 2));
  let answer: LookAnswer;
  if (!line.login.isValid) answer = failed("http_401", 401);
  else if (fate === "timeout") {
    await aborted(context.signal);
    answer = failed("timeout", null);
  } else if (fate === "error") answer = failed("http_503", 503);
  else if (fate === "busy") answer = failed("http_429", 429, line.dice.pick([null, 7_000, 90_000]));
  else if (fate === "unparsable") answer = failed("unparsable", 200);
  else answer = { kind: "seen", able: true, objects: read(line.core, line.clock.now() - line.lagMs()), query };
  return passing(life, answer);
}
