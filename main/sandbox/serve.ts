import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Exchange, readBody, readClock, refuse, sendAnswer } from "./exchange";

/** What a server on loopback needs to know. */
export interface ServeOptions {
  /** Tried first; when it is taken and only `preferred`, any free one is used. */
  port: number;
  isPreferenceOnly: boolean;
  /** The time of a request, given what its clock header says. */
  timeOf(header: number | null): number;
  handle(exchange: Exchange): Promise<unknown>;
}

/** Starts listening on 127.0.0.1 and nowhere else. */
export async function serve(options: ServeOptions): Promise<{ server: Server; port: number }> {
  let lastRequest = 0;
  const server = createServer((request, response) => {
    lastRequest += 1;
    response.setHeader("X-Request-Id", `sandbox-${lastRequest}`);
    void take(request, response, options);
  });
  // A withheld answer must be ended by the client and by nobody else.
  server.requestTimeout = 0;
  server.headersTimeout = 60_000;
  try {
    await listen(server, options.port);
  } catch (error) {
    if (!options.isPreferenceOnly || (error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    await listen(server, 0);
  }
  return { server, port: (server.address() as AddressInfo).port };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ port, host: "127.0.0.1" }, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

/** Stops a server at once, withheld answers included. */
export function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

async function take(request: IncomingMessage, response: ServerResponse, options: ServeOptions): Promise<void> {
  response.on("error", () => response.destroy());
  const body = await readBody(request);
  if (body === "cut") return void response.destroy();
  const header = readClock(request);
  const isClockBad = Number.isNaN(header);
  const at = options.timeOf(isClockBad ? null : header);
  // Servers tell the time; this one tells the time it goes by.
  response.setHeader("Date", new Date(at).toUTCString());
  const url = parseUrl(request.url ?? "/");
  const rest = url === null ? null : splitPath(url.pathname);
  const exchange: Exchange = {
    request,
    response,
    method: request.method ?? "GET",
    url: url ?? new URL("http://invalid/"),
    rest: rest?.slice(1) ?? [],
    body: body === "too-large" ? Buffer.alloc(0) : body,
    at,
  };
  if (body === "too-large")
    return sendAnswer(exchange, { ...refuse(413, "too_large"), headers: { Connection: "close" } });
  if (rest === null) return sendAnswer(exchange, refuse(400, "bad_path"));
  if (isClockBad) return sendAnswer(exchange, refuse(400, "bad_clock"));
  try {
    await options.handle(exchange);
  } catch (error) {
    // A disk that is full, a file that cannot be read: nothing was acknowledged, and the reader learns why.
    const reason = error instanceof Error ? error.message : String(error);
    if (response.headersSent) response.destroy();
    else sendAnswer(exchange, refuse(500, "internal", { reason }));
  }
}

function parseUrl(target: string): URL | null {
  try {
    // Only the path and query count; an absolute-form target must not choose another host.
    return new URL(target.startsWith("/") ? `http://sandbox${target}` : target);
  } catch {
    return null;
  }
}

/** Decodes the path part by part, so that an encoded slash stays inside its part. */
function splitPath(pathname: string): string[] | null {
  try {
    const parts = pathname.split("/").slice(1).map(decodeURIComponent);
    return parts.some((part) => part.includes("/")) ? null : parts;
  } catch {
    return null;
  }
}
