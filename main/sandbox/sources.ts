import type { Context } from "./context";
import { type Answer, type Exchange, refuse, sendAnswer } from "./exchange";
import type { FaultRule } from "./faults";
import { performRead } from "./perform-read";
import { holdStream, type SourceFolder, sendStream } from "./source-folder";

/** Answers everything below `/sources` on the sandbox, where reads are counted and can go wrong. */
export async function handleSources(context: Context, exchange: Exchange): Promise<void> {
  const early = answerIndex(context.sources, exchange, context.base);
  if (early !== null) return sendAnswer(exchange, early);
  const file = exchange.rest.join("/");
  const { store } = context;
  store.append({ type: "source-read", file, at: exchange.at });
  const found = await context.sources.read(exchange, context.base);
  if ("file" in found && !store.state.faults.some((rule) => rule.on === "source.read"))
    return sendStream(exchange, found);
  const answer = await holdStream(found);
  await performRead(context, exchange, { on: "source.read", file }, () => answer, { "wrong-body": amend });
}

/** Answers below `/sources` on a server that has nothing but sources. */
export async function serveSources(sources: SourceFolder, exchange: Exchange, base: string): Promise<void> {
  const early = answerIndex(sources, exchange, base);
  if (early !== null) return sendAnswer(exchange, early);
  const found = await sources.read(exchange, base);
  if ("file" in found) return sendStream(exchange, found);
  sendAnswer(exchange, found);
}

function answerIndex(sources: SourceFolder, exchange: Exchange, base: string): Answer | null {
  if (exchange.method !== "GET" && exchange.method !== "HEAD") return refuse(405, "read_only");
  return exchange.rest.join("/") === "index.json" ? { status: 200, body: sources.index(base) } : null;
}

/** Answers for the pages that sources link to. */
export async function handleLinks(context: Context, exchange: Exchange): Promise<void> {
  const { store, pages } = context;
  if (exchange.method !== "GET" && exchange.method !== "HEAD") return sendAnswer(exchange, refuse(405, "read_only"));
  store.append({ type: "call", counter: "link.read", at: exchange.at });
  const target = { on: "link.read" as const, path: exchange.url.pathname };
  await performRead(context, exchange, target, () => pages.answer(exchange));
}

/**
 * The source changed since it was last read: by the rule's own words, else its last heading says so. Only ASCII is put
 * in, after an ASCII `<` or `"`, which is never part of a longer character in any encoding the samples use.
 */
function amend(answer: Answer, rule: FaultRule): Answer {
  if (!Buffer.isBuffer(answer.body)) return answer;
  const { from, to = "" } = rule.params;
  if (from !== undefined) {
    const text = answer.body.toString("latin1").split(Buffer.from(from).toString("latin1"));
    return { ...answer, body: Buffer.from(text.join(Buffer.from(to).toString("latin1")), "latin1") };
  }
  const text = answer.body.toString("latin1");
  for (const mark of ["</title>\n", "</h3>", "</h2>", "</title>"]) {
    const at = text.lastIndexOf(mark);
    if (at >= 0) return { ...answer, body: Buffer.from(`${text.slice(0, at)} [amended]${text.slice(at)}`, "latin1") };
  }
  const json = text.replace(/("title"\s*:\s*"[^"]*)"(?![\s\S]*"title"\s*:)/, '$1 [amended]"');
  return { ...answer, body: Buffer.from(json, "latin1") };
}
