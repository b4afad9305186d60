import { readFile } from "node:fs/promises";
import path from "node:path";
import { protocol } from "electron";
import type { Backend } from "./handlers";
import { SCHEME } from "./origins";
import { serve } from "./serve";

/** Must run before the app is ready: afterwards the scheme would have no origin, and with it no policy. */
export function registerScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true } },
  ]);
}

/** Serves our page from the build, and frozen bytes to preview frames. Previews wait for the backend, the page does not. */
export function serveScheme(backend: Promise<Backend>): void {
  const rendererRoot = path.join(__dirname, "../renderer");
  protocol.handle(SCHEME, (request) =>
    serve(request, { rendererRoot, readFile, preview: async (hash) => (await backend).previewBytes(hash) }),
  );
}
