import { refuse, sendAnswer } from "./exchange";
import { serve, stop } from "./serve";
import { SourceFolder } from "./source-folder";
import { serveSources } from "./sources";

export interface SourceServer {
  url: string;
  /** Where the list of sources is, in the form the app takes them. */
  indexUrl: string;
  port: number;
  close(): Promise<void>;
}

/**
 * For whatever is not in the folder: a relative link of a page that was brought without its address leads here, and whether
 * its target exists cannot be told. 403 makes it a link for a person's eyes; 404 would call it broken.
 */
const NOT_BROUGHT = 403;

/**
 * Serves a folder of feeds and pages that somebody brought, on loopback.
 * @throws Error when the folder cannot be read or its `sources.json` is wrong.
 */
export async function startSourceServer(options: { dir: string; port?: number }): Promise<SourceServer> {
  const sources = await SourceFolder.open(options.dir, NOT_BROUGHT);
  let base = "";
  const { server, port } = await serve({
    port: options.port ?? 0,
    isPreferenceOnly: false,
    timeOf: (header) => header ?? Date.now(),
    handle: async (exchange) => {
      const isOurs = exchange.url.pathname.startsWith("/sources/");
      return isOurs ? serveSources(sources, exchange, base) : sendAnswer(exchange, refuse(NOT_BROUGHT, "not_brought"));
    },
  });
  base = `http://127.0.0.1:${port}`;
  return { url: base, indexUrl: `${base}/sources/index.json`, port, close: () => stop(server) };
}
