import { mkdirSync } from "node:fs";
import type { Server } from "node:http";
import { join } from "node:path";
import { claimAddress, folderId, isKeptAt, readAddress, SandboxInUse } from "./address";
import { handleCms } from "./cms";
import { type SandboxConfig, sandboxConfigSchema } from "./config";
import { type Context, Pause, Withheld } from "./context";
import { handleControl } from "./control";
import { type Exchange, refuse, sendAnswer } from "./exchange";
import { LinkPages } from "./link-pages";
import { handleMail } from "./mail";
import { runDeferred } from "./perform-write";
import { serve, stop } from "./serve";
import { handleServices } from "./services";
import { handleSite } from "./site";
import { SourceFolder } from "./source-folder";
import { handleLinks, handleSources } from "./sources";
import type { SandboxRecord } from "./state";
import { Store } from "./store";

export interface SandboxOptions {
  /** Where the remote keeps its own records. Nobody else's folder. */
  dir: string;
  /** A fixed port. Without it the port of the last run is taken again where it is free, so that page addresses last. */
  port?: number;
  /** Laid over what the records say. */
  config?: Partial<SandboxConfig>;
  /** A folder of sources to serve instead of the samples. */
  sourcesDir?: string;
  samplesDir: string;
  /** The server's own time, for requests that carry none. */
  now?: () => number;
  /** Hears of everything that the remotes record, as they record it. May not throw. */
  onRecord?: (record: SandboxRecord) => void;
}

export interface Sandbox {
  url: string;
  port: number;
  /** Bytes of a torn last record that were cut off at the start; 0 in peace. */
  cutBytes: number;
  close(): Promise<void>;
}

/**
 * Starts the local CMS, mail provider, website and source server on loopback, going on where the folder's records end.
 * @throws SandboxInUse when another live sandbox keeps this folder. @throws Error when the records are damaged.
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  mkdirSync(options.dir, { recursive: true });
  const config = sandboxConfigSchema.partial().parse(options.config ?? {});
  const last = readAddress(options.dir);
  const folder = folderId(options.dir);
  if (last !== null && (await isKeptAt(last.port, folder))) throw new SandboxInUse(last.url);
  const [sources, pages] = await Promise.all([
    SourceFolder.open(options.sourcesDir ?? options.samplesDir, options.sourcesDir === undefined ? 404 : 403),
    LinkPages.open(options.samplesDir),
  ]);
  const held: { context: Context | null } = { context: null };
  const now = options.now ?? Date.now;
  const { server, port } = await serve({
    port: options.port ?? last?.port ?? 0,
    isPreferenceOnly: options.port === undefined,
    // Own time never falls behind what clients were seen to carry: a page read in a browser is not older than its post.
    timeOf: (header) => header ?? held.context?.store.horizon(now()) ?? now(),
    handle: async (exchange) => held.context !== null && route(held.context, exchange, folder),
  });
  try {
    // The remembered port is taken: by a stranger, or by another start of this folder that was faster.
    const isElsewhere = last !== null && options.port === undefined && port !== last.port;
    if (isElsewhere && (await isKeptAt(last.port, folder))) throw new SandboxInUse(last.url);
    // No await from here to the end: the first request must find everything in place.
    const url = `http://127.0.0.1:${port}`;
    claimAddress(options.dir, { url, port }, last);
    const store = Store.open(join(options.dir, "records.jsonl"), options.onRecord);
    const context = { store, base: url, withheld: new Withheld(), pause: new Pause(), sources, pages };
    held.context = context;
    store.configure(config);
    return { url, port, cutBytes: store.cutBytes, close: () => close(server, context) };
  } catch (error) {
    await stop(server);
    throw error;
  }
}

async function close(server: Server, context: Context): Promise<void> {
  context.pause.stop();
  await stop(server);
  context.store.close();
}

async function route(context: Context, exchange: Exchange, folder: string): Promise<void> {
  runDeferred(context, exchange.at);
  const area = exchange.url.pathname.split("/")[1];
  switch (area) {
    case "cms":
      return handleCms(context, exchange);
    case "mail":
      return handleMail(context, exchange);
    case "services":
      return handleServices(context, exchange);
    case "site":
      return handleSite(context, exchange);
    case "sources":
      return handleSources(context, exchange);
    case "articles":
    case "home":
      return handleLinks(context, exchange);
    case "control":
      if (exchange.rest.join("/") === "folder") return sendAnswer(exchange, { status: 200, body: { folder } });
      return sendAnswer(exchange, handleControl(context, exchange));
    default:
      // With sources that were brought, a page of theirs without its own address leads here: nobody can tell if it exists.
      return sendAnswer(exchange, refuse(context.sources.missingStatus, "no_such_path"));
  }
}
