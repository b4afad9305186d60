import type { z } from "zod";
import { createPostSchema, setStatusSchema, updatePostSchema } from "./commands";
import { type Context, sha256 } from "./context";
import { type Answer, type Exchange, refuse, sendAnswer } from "./exchange";
import { performRead, withOtherHashes } from "./perform-read";
import { performWrite } from "./perform-write";
import type { CounterName, Post } from "./state";
import { showPost, versionAt } from "./views";

/** Answers everything below `/cms`. */
export async function handleCms(context: Context, exchange: Exchange): Promise<void> {
  const { method, rest } = exchange;
  const [collection, idText, part, tooDeep] = rest;
  const route = `${method} ${part ?? (idText === undefined ? "list" : "one")}`;
  if (collection !== "posts" || tooDeep !== undefined) return sendAnswer(exchange, refuse(404, "no_such_path"));
  const id = Number(idText);
  switch (route) {
    case "POST list":
      return write(context, exchange, "cms.create", createPostSchema, (input, requestHash) =>
        performWrite(context, exchange, { on: "cms.create", input, requestHash }),
      );
    case "PUT one":
      return write(context, exchange, "cms.update", updatePostSchema, (input, requestHash) =>
        performWrite(context, exchange, { on: "cms.update", id, input, requestHash }),
      );
    case "POST status":
      return write(context, exchange, "cms.status", setStatusSchema, (input, requestHash) =>
        performWrite(context, exchange, { on: "cms.status", id, input, requestHash }),
      );
    case "GET list":
      return query(context, exchange, () => findPosts(context, exchange));
    case "GET one":
      return query(context, exchange, () => readPost(context, exchange, id));
    case "GET revisions":
      return query(context, exchange, () => listRevisions(context, exchange, id));
    default:
      return sendAnswer(exchange, refuse(405, "method_not_allowed"));
  }
}

/** Counts a write as received, then asks who it is from and what it says. */
export async function write<Schema extends z.ZodType>(
  context: Context,
  exchange: Exchange,
  counter: CounterName,
  schema: Schema,
  perform: (input: z.infer<Schema>, requestHash: string) => Promise<void>,
): Promise<void> {
  context.store.append({ type: "call", counter, at: exchange.at });
  if (!isAuthorized(context, exchange)) return sendAnswer(exchange, refuse(401, "unauthorized"));
  const parsed = parseJson(exchange, schema);
  if ("answer" in parsed) return sendAnswer(exchange, parsed.answer);
  return perform(parsed.input, sha256(exchange.body));
}

/** Takes a JSON body. The media type is asked for: a web page in a browser cannot send it to us unasked. */
export function parseJson<Schema extends z.ZodType>(
  exchange: Exchange,
  schema: Schema,
): { input: z.infer<Schema> } | { answer: Answer } {
  const type = exchange.request.headers["content-type"] ?? "";
  if (!/^application\/json\b/i.test(type)) return { answer: refuse(415, "not_json") };
  let value: unknown;
  try {
    value = JSON.parse(exchange.body.toString("utf8"));
  } catch {
    return { answer: refuse(400, "bad_json") };
  }
  const checked = schema.safeParse(value);
  if (checked.success) return { input: checked.data };
  const fields = checked.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
  return { answer: refuse(400, "bad_request", { fields }) };
}

export function isAuthorized(context: Context, exchange: Exchange): boolean {
  return exchange.request.headers.authorization === `Bearer ${context.store.state.config.token}`;
}

async function query(context: Context, exchange: Exchange, read: () => Answer): Promise<void> {
  context.store.append({ type: "call", counter: "cms.query", at: exchange.at });
  // Without a login nothing is shown, not even an empty list: an empty list would be taken for "not there".
  if (!isAuthorized(context, exchange)) return sendAnswer(exchange, refuse(401, "unauthorized"));
  return performRead(context, exchange, { on: "cms.query" }, read, {
    stale: () => staleAnswer(exchange),
    "wrong-body": withOtherHashes,
  });
}

/** What a replica says that has not heard of anything yet. */
export function staleAnswer(exchange: Exchange): Answer {
  const isList = exchange.rest.length === 1;
  return isList ? { status: 200, body: { objects: [], complete: true } } : refuse(404, "not_found");
}

/** Queries see what was there `visibilityDelayMs` ago, as from a read replica. */
function lagging(context: Context, exchange: Exchange): number {
  return context.store.horizon(exchange.at) - context.store.state.config.visibilityDelayMs;
}

function findPosts(context: Context, exchange: Exchange): Answer {
  const key = exchange.url.searchParams.get("key");
  const slug = exchange.url.searchParams.get("slug");
  if (key === null && slug === null) return refuse(400, "key_missing");
  const until = lagging(context, exchange);
  const objects = context.store.state.posts.flatMap((post) => {
    const version = versionAt(post, until);
    return version !== null && (post.key === key || post.slug === slug) ? [showPost(post, version, context.base)] : [];
  });
  return { status: 200, body: { objects, complete: true } };
}

function readPost(context: Context, exchange: Exchange, id: number): Answer {
  const found = visiblePost(context, exchange, id);
  if (found === null) return refuse(404, "not_found");
  return { status: 200, body: { ...showPost(found.post, found.version, context.base), html: found.version.html } };
}

function listRevisions(context: Context, exchange: Exchange, id: number): Answer {
  const found = visiblePost(context, exchange, id);
  if (found === null) return refuse(404, "not_found");
  const until = lagging(context, exchange);
  const revisions = found.post.versions
    .filter((version) => version.at <= until)
    .map((version) => ({ ...showPost(found.post, version, context.base), html: version.html }));
  return { status: 200, body: { revisions, complete: true } };
}

function visiblePost(context: Context, exchange: Exchange, id: number) {
  const post: Post | undefined = context.store.state.posts.find((candidate) => candidate.id === id);
  const version = post === undefined ? null : versionAt(post, lagging(context, exchange));
  return post === undefined || version === null ? null : { post, version };
}
