import { type Command, execute } from "./commands";
import type { Context } from "./context";
import { type Answer, type Exchange, refuse, sendAnswer, sendHalf } from "./exchange";
import type { FaultRule } from "./faults";

/** Takes one checked write through the fault rules: what is carried out, and what the client gets to hear. */
export async function performWrite(context: Context, exchange: Exchange, command: Command): Promise<void> {
  const { store } = context;
  const rule = store.takeFault({ on: command.on }, exchange.at);
  const commit = (): Answer => execute(store, command, exchange.at, context.base);
  if (rule === null) return sendAnswer(exchange, commit());
  switch (rule.fault) {
    case "drop-before-commit":
      return dropLine(exchange);
    case "hang-before-commit":
      return context.withheld.hold(exchange, command.on);
    case "drop-after-commit":
      commit();
      return dropLine(exchange);
    case "hang-after-commit":
      commit();
      return context.withheld.hold(exchange, command.on);
    case "cut-short":
      return sendHalf(exchange, commit());
    case "commit-later": {
      const deferred = { id: store.nextNumber(), dueAt: exchange.at + (rule.params.ms ?? 0), command };
      store.append({ type: "deferred", deferred });
      return dropLine(exchange);
    }
    case "delay":
      // The client may have gone meanwhile; a server at work does not know, and commits all the same.
      if (await context.pause.wait(rule.params.ms ?? 0)) sendAnswer(exchange, commit());
      return;
    case "status-after-commit":
      commit();
      return sendAnswer(exchange, statusAnswer(rule, { status: 500, body: { code: "internal" } }));
    case "unparsable":
      return sendAnswer(exchange, withNotice(commit()));
    case "duplicate": {
      const first = commitTwice(commit);
      // With a status: a gateway that repeated the request and then gave up waiting.
      return sendAnswer(exchange, rule.params.status === undefined ? first : statusAnswer(rule, first));
    }
    case "conflict-same":
      return sendAnswer(exchange, commitThenRefuse(commit));
    case "conflict-other":
      return sendAnswer(exchange, commitForeign(context, exchange, command));
    default:
      return sendAnswer(exchange, refusal(rule));
  }
}

/** Carries out the writes that were cut off earlier and whose time has come, before a request is looked at. */
export function runDeferred(context: Context, at: number): void {
  const { store } = context;
  const horizon = store.horizon(at);
  for (const entry of [...store.state.deferred]) {
    if (entry.dueAt > horizon) continue;
    // Crossed off first: a crash in between loses the write, as the line could have, and never doubles it.
    store.append({ type: "deferred-done", id: entry.id });
    execute(store, entry.command as Command, entry.dueAt, context.base);
  }
}

/** Ends the line without a word. */
export function dropLine(exchange: Exchange): void {
  exchange.request.socket.destroy();
}

/** A definite no that came before anything was done: `auth` and `status`. */
export function refusal(rule: FaultRule): Answer {
  if (rule.fault === "auth") return refuse(401, "unauthorized");
  const status = rule.params.status ?? 503;
  // `processed: false` is the protocol's word for "refused at the door"; without it nobody could know.
  return statusAnswer(rule, { status, body: { code: `status_${status}`, processed: false } });
}

function statusAnswer(rule: FaultRule, usual: Answer): Answer {
  const { status = usual.status, retryAfterSeconds, body } = rule.params;
  const headers: Record<string, string> = {};
  if (retryAfterSeconds !== undefined) headers["Retry-After"] = String(retryAfterSeconds);
  if (body === undefined) return { status, body: usual.body, headers };
  headers["Content-Type"] = "text/plain; charset=utf-8";
  return { status, body: Buffer.from(body, "utf8"), headers };
}

/** What a PHP notice does to an answer: 200, and JSON that no longer is. */
export function withNotice(answer: Answer): Answer {
  const notice = "<br />\n<b>Notice</b>: Undefined index: slug in <b>/srv/www/rest.php</b> on line <b>214</b><br />\n";
  const body = Buffer.from(notice + JSON.stringify(answer.body), "utf8");
  return { status: 200, body, headers: { "Content-Type": "application/json; charset=utf-8" } };
}

function commitTwice(commit: () => Answer): Answer {
  const first = commit();
  commit();
  return first;
}

/** The mark of an earlier request with the same key: the object is there, and the answer is a no all the same. */
function commitThenRefuse(commit: () => Answer): Answer {
  const answer = commit();
  return answer.status === 201 ? refuse(409, "duplicate_key", { object: answer.body }) : answer;
}

/** Another task was here first: its object is there to be found, and the caller's is not. */
function commitForeign(context: Context, exchange: Exchange, command: Command): Answer {
  if (command.on !== "cms.create" && command.on !== "mail.create") return refuse(409, "conflict");
  const place = command.on === "cms.create" ? command.input.slug : command.input.name;
  const intentKey = `another-task:${place}:v1`;
  const identity = { key: `${intentKey}:create`, intentKey, taskId: "another-task", intentHash: "1".repeat(64) };
  const contentHash = "0".repeat(64);
  const page = "<!doctype html><html><head><title>Another page</title></head><body><p>Another page.</p></body></html>";
  const foreign: Command =
    command.on === "cms.create"
      ? { ...command, input: { ...command.input, ...identity, contentHash, title: "Another page", html: page } }
      : { ...command, input: { ...command.input, ...identity, bodyHash: contentHash } };
  const answer = execute(context.store, foreign, exchange.at, context.base);
  return answer.status === 201 ? refuse(409, "slug_taken", { object: answer.body }) : answer;
}
