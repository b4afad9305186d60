import type { Context } from "./context";
import { escapeHtml } from "./escape-html";
import { type Answer, type Exchange, refuse, sendAnswer } from "./exchange";
import type { FaultRule } from "./faults";
import { performRead } from "./perform-read";
import type { Store } from "./store";
import { newestVersion } from "./views";

const PAGE_HEADERS = { "Content-Type": "text/html; charset=utf-8", "Cache-Control": "public, max-age=600" };

/** Answers everything below `/site`: the public website, as a reader without a login sees it. */
export async function handleSite(context: Context, exchange: Exchange): Promise<void> {
  const [slug, tooDeep] = exchange.rest;
  if (exchange.method !== "GET" && exchange.method !== "HEAD") return sendAnswer(exchange, refuse(405, "read_only"));
  const { store } = context;
  if (slug === undefined || slug === "") return sendAnswer(exchange, homePage(store));
  if (tooDeep !== undefined) return sendAnswer(exchange, page(null, 0));
  store.append({ type: "call", counter: "site.read", at: exchange.at, slug });
  await performRead(context, exchange, { on: "site.read", slug }, () => readThroughCache(store, slug), {
    stale: () => page(shown(store, slug, 1), 300),
    "wrong-body": changeText,
    "missing-link": dropLastLink,
  });
}

/** The first `staleProbes` reads after a change get what the cache still holds, whatever they ask of caches. */
function readThroughCache(store: Store, slug: string): Answer {
  const history = store.state.publicPages.get(slug);
  const isStale = history !== undefined && history.shown.length > 1 && history.reads <= store.state.config.staleProbes;
  return isStale ? page(shown(store, slug, 1), 300) : page(shown(store, slug, 0), 0);
}

/** What the public got under a slug, `back` changes ago. */
function shown(store: Store, slug: string, back: number): string | null {
  const history = store.state.publicPages.get(slug);
  return history?.shown[history.shown.length - 1 - back] ?? null;
}

function page(html: string | null, ageSeconds: number): Answer {
  const headers = { ...PAGE_HEADERS, Age: String(ageSeconds) };
  if (html !== null) return { status: 200, body: Buffer.from(html, "utf8"), headers };
  const missing = "<!doctype html><html><head><title>Not found</title></head><body><h1>Not found</h1></body></html>";
  return { status: 404, body: Buffer.from(missing, "utf8"), headers };
}

function homePage(store: Store): Answer {
  const published = store.state.posts.filter((post) => newestVersion(post).status === "published");
  const entries = published.map((post) => {
    const title = escapeHtml(newestVersion(post).title);
    return `<li><a href="/site/${encodeURIComponent(post.slug)}">${title}</a></li>`;
  });
  const title = "<title>Sandbox site</title>";
  const html = `<!doctype html><html><head><meta charset="utf-8">${title}</head><body><ul>${entries.join("")}</ul></body></html>`;
  return page(html, 0);
}

/** Somebody, or some plugin, changed the page: by the rule's own words, else the first paragraph. */
function changeText(answer: Answer, rule: FaultRule): Answer {
  const { from, to = "" } = rule.params;
  return editPage(answer, (html) => {
    if (from !== undefined) return html.split(from).join(to);
    const changed = html.replace(/(<p\b[^>]*>)[\s\S]*?<\/p>/i, "$1This is not the text that was approved.</p>");
    return changed === html ? html.replace(/<\/body>|$/i, "<p>This was not approved.</p>$&") : changed;
  });
}

/** A sanitiser ate a link: its text stays, its address is gone. */
function dropLastLink(answer: Answer): Answer {
  return editPage(answer, (html) => {
    const links = [...html.matchAll(/<a\b[^>]*href[^>]*>([\s\S]*?)<\/a>/gi)];
    const last = links[links.length - 1];
    if (last?.index === undefined) return html;
    return html.slice(0, last.index) + (last[1] ?? "") + html.slice(last.index + last[0].length);
  });
}

function editPage(answer: Answer, edit: (html: string) => string): Answer {
  if (answer.status !== 200 || !Buffer.isBuffer(answer.body)) return answer;
  return { ...answer, body: Buffer.from(edit(answer.body.toString("utf8")), "utf8") };
}
