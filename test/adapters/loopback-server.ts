import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type Handler = (request: IncomingMessage, response: ServerResponse) => unknown;

/** A real HTTP server on this machine, with every request it got. */
export interface LoopbackServer {
  base: string;
  requests: { method: string; url: string; headers: IncomingMessage["headers"] }[];
  close(): Promise<void>;
}

export async function startServer(handler: Handler): Promise<LoopbackServer> {
  const requests: LoopbackServer["requests"] = [];
  const server = createServer((request, response) => {
    requests.push({ method: request.method ?? "", url: request.url ?? "", headers: request.headers });
    handler(request, response);
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const { port } = server.address() as AddressInfo;
  return {
    base: `http://127.0.0.1:${port}`,
    requests,
    close: () =>
      new Promise((done) => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  };
}

/** A context with a signal that fires after some real ms, and a fixed now (2026-07-20T08:00:00Z). */
export function contextFor(ms = 5000): { signal: AbortSignal; now: number } {
  return { signal: AbortSignal.timeout(ms), now: Date.UTC(2026, 6, 20, 8) };
}
