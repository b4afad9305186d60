import type { CallContext, Clock, LinkChecker, PageProbe, SourceConfig, SourceReader } from "../domain/ports";
import type { Life } from "./crash";
import type { Dice } from "./dice";
import type { Faults } from "./faults";
import { rawError } from "./remote";
import type { RemoteCore } from "./remote-core";

/** What is only read: sources, links and the public page. All of it in memory, with the world's faults. */
export interface Readings {
  core: RemoteCore;
  clock: Clock;
  dice: Dice;
  faults: Faults;
  /** The week whose news the sources have. */
  edition(): string;
  /** How many reads of the public page still show what was there before. */
  staleReads: { left: number };
}

const HOST = "https://sources.example";
const READ_MS = 1_500;

/** Twelve sources as the product has them, nine of them required. */
export const SOURCES: readonly SourceConfig[] = Array.from({ length: 12 }, (_, index) => {
  const id = `s${String(index + 1).padStart(2, "0")}`;
  const url = `${HOST}/${id}/feed.json`;
  return { id, title: `Source ${id}`, url, format: "json-feed", licence: "CC BY 4.0", required: index < 9 };
});

/** Two items each, so small that a thousand editions are parsed in no time. */
function feedOf({ id, title, url }: SourceConfig, edition: string): Uint8Array {
  const items = [1, 2].map((number) => ({
    id: `${id}-${edition}-${number}`,
    url: `${HOST}/${id}/${edition}-${number}`,
    title: `${title} changes rule ${number} in ${edition}`,
    content_text: `Rule ${number} of ${id} changes its price to ${number} yuan in ${edition}. It takes effect on Monday.`,
  }));
  const feed = { version: "https://jsonfeed.org/version/1.1", title, home_page_url: `${HOST}/${id}/`, feed_url: url };
  return new TextEncoder().encode(JSON.stringify({ ...feed, items }));
}

async function onTheWay(readings: Readings, life: Life, context: CallContext, isLost: boolean): Promise<void> {
  if (isLost && !context.signal.aborted)
    await new Promise<void>((resolve) => context.signal.addEventListener("abort", () => resolve(), { once: true }));
  else await readings.clock.sleep(readings.dice.between(1, READ_MS));
  await life.pass();
}

export const simulatedReader = (readings: Readings, life: Life): SourceReader => ({
  read: async (source, context) => {
    const fate = readings.faults.read(`source ${source.id}`);
    await onTheWay(readings, life, context, fate === "timeout");
    if (fate === "timeout") return { kind: "failed", error: rawError("read", "timeout") };
    if (fate === "error") return { kind: "failed", error: rawError("read", "dns") };
    if (fate === "busy")
      return { kind: "failed", error: rawError("read", "http_429", 429, readings.dice.pick([null, 20_000, 900_000])) };
    const bytes = fate === "unparsable" ? new Uint8Array() : feedOf(source, readings.edition());
    const { url } = source;
    const answer = { requestedUrl: url, finalUrl: url, httpStatus: 200, contentType: "application/feed+json" };
    return { kind: "read", bytes, ...answer, fetchedAt: readings.clock.now() };
  },
});

export const simulatedLinks = (readings: Readings, life: Life): LinkChecker => ({
  check: async (url, context) => {
    const isSlow = readings.faults.happens("link times out", 0.01);
    await onTheWay(readings, life, context, isSlow);
    if (isSlow) return { url, verdict: "timeout", httpStatus: null, finalUrl: null, hops: 0, code: "timeout" };
    const isBroken = readings.faults.happens("link broken", 0.003);
    if (isBroken) return { url, verdict: "broken", httpStatus: 404, finalUrl: url, hops: 0, code: null };
    return { url, verdict: "ok", httpStatus: 200, finalUrl: url, hops: 0, code: null };
  },
});

export const simulatedProbe = (readings: Readings, life: Life): PageProbe => ({
  read: async (url, context) => {
    const { core, clock, faults, staleReads } = readings;
    const fate = faults.read("probe");
    await onTheWay(readings, life, context, fate === "timeout");
    if (fate === "timeout") return { kind: "failed", error: rawError("read", "timeout") };
    const page = core.pageAt(url, clock.now());
    const isStale = staleReads.left > 0;
    if (isStale) staleReads.left -= 1;
    const isError = fate === "error" || fate === "busy";
    const html = fate === "unparsable" ? "<html><body>?</body></html>" : (page ?? "not found");
    const httpStatus = isError ? 503 : isStale || page === null ? 404 : 200;
    const bytes = new TextEncoder().encode(html);
    const ageSeconds = isStale ? 60 : null;
    return { kind: "read", httpStatus, finalUrl: url, bytes, mediaType: "text/html; charset=utf-8", ageSeconds };
  },
});
