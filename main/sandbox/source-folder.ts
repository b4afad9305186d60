import { constants } from "node:fs";
import { type FileHandle, open, readFile, realpath } from "node:fs/promises";
import { join, sep } from "node:path";
import type { Answer, Exchange } from "./exchange";
import { refuse } from "./exchange";
import { fillBase } from "./fill-base";
import { contentTypeOf, listSources, type SourceEntry } from "./source-list";

/** A folder of feeds and pages behind `/sources`. */
export class SourceFolder {
  private constructor(
    private readonly root: string,
    private readonly entries: readonly SourceEntry[],
    /** 404 where the folder is all there is; 403 where it was brought, and what else exists cannot be told. */
    readonly missingStatus: 403 | 404,
  ) {}

  /** @throws Error when the folder cannot be read or its `sources.json` is wrong. */
  static async open(dir: string, missingStatus: 403 | 404 = 404): Promise<SourceFolder> {
    return new SourceFolder(await realpath(dir), await listSources(dir), missingStatus);
  }

  /** The sources as the app takes them in its configuration. */
  index(base: string): Record<string, unknown>[] {
    return this.entries.map((entry) => ({
      id: entry.id,
      title: entry.title,
      url:
        entry.file === undefined
          ? entry.url
          : `${base}/sources/${entry.file.split("/").map(encodeURIComponent).join("/")}`,
      ...(entry.file !== undefined && entry.url !== undefined ? { baseUrl: entry.url } : {}),
      format: entry.format,
      licence: entry.licence,
      required: entry.required,
    }));
  }

  /**
   * Reads a file that is small enough to be worked on, or opens a large one to be streamed.
   * Names are given as they stand in the address; nothing outside the folder is ever opened.
   */
  async read(exchange: Exchange, base: string): Promise<Answer | StreamAnswer> {
    const asked = exchange.rest.join("/");
    const entry = this.entries.find((candidate) => filesOf(candidate).includes(asked));
    // A state of a changing page can also be asked for by its own name.
    const file = entry?.file === asked ? editionFile(entry, exchange) : asked;
    const path = await this.inside(file);
    if (path === null) return refuse(this.missingStatus, "no_such_file");
    const headers = {
      "Content-Type": entry?.contentType ?? contentTypeOf(file),
      "Cache-Control": "no-cache",
      // A page brought by somebody is data here, whatever scripts it has.
      "Content-Security-Policy": "sandbox",
      "X-Content-Type-Options": "nosniff",
    };
    if (entry?.template !== undefined) {
      return { status: 200, headers, body: fillBase(await readFile(path), base, entry.template) };
    }
    return openStream(path, headers);
  }

  /** The real path of a file in the folder; null for anything outside, for links that lead out, and for hidden files. */
  private async inside(file: string): Promise<string | null> {
    const parts = file.split("/");
    const isStrange = (part: string): boolean => part === "" || part.startsWith(".") || /[\\\0]/.test(part);
    if (parts.some(isStrange)) return null;
    try {
      const real = await realpath(join(this.root, ...parts));
      return real.startsWith(this.root + sep) ? real : null;
    } catch {
      return null;
    }
  }
}

/** An answer too large to be held in memory. */
export interface StreamAnswer {
  status: 200;
  headers: Readonly<Record<string, string>>;
  length: number;
  file: FileHandle;
}

async function openStream(path: string, headers: Record<string, string>): Promise<Answer | StreamAnswer> {
  // The path is real already; a link put in its place since then is refused by the system.
  const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0)).catch(() => null);
  if (file === null) return refuse(404, "no_such_file");
  const found = await file.stat();
  if (found.isFile()) return { status: 200, headers, length: found.size, file };
  await file.close();
  return refuse(404, "no_such_file");
}

/** Sends a streamed answer and closes its file, also when the client goes away in the middle. */
export function sendStream(exchange: Exchange, answer: StreamAnswer): void {
  const { response } = exchange;
  response.writeHead(answer.status, { ...answer.headers, "Content-Length": String(answer.length) });
  if (exchange.method === "HEAD" || response.destroyed) {
    response.end();
    void answer.file.close();
    return;
  }
  if (answer.length === 0) {
    response.end();
    void answer.file.close();
    return;
  }
  // A file that grows meanwhile must not send more than was announced.
  const stream = answer.file.createReadStream({ start: 0, end: answer.length - 1 });
  stream.on("error", () => response.destroy());
  response.on("close", () => stream.destroy());
  stream.pipe(response);
}

/** Takes a streamed answer into memory, for the faults that change or cut it. */
export async function holdStream(answer: Answer | StreamAnswer): Promise<Answer> {
  if (!("file" in answer)) return answer;
  try {
    return { status: answer.status, headers: answer.headers, body: await answer.file.readFile() };
  } finally {
    await answer.file.close();
  }
}

function filesOf(entry: SourceEntry): string[] {
  return [entry.file ?? "", ...(entry.editions ?? []).map((edition) => edition.file)];
}

/** Which state of a page to show: the one asked for by `?edition=`, else the newest by the clock. */
function editionFile(entry: SourceEntry, exchange: Exchange): string {
  const usual = entry.file ?? "";
  const editions = entry.editions ?? [];
  const asked = exchange.url.searchParams.get("edition");
  const named = editions.find((candidate) => candidate.edition === asked);
  if (named !== undefined) return named.file;
  let file = usual;
  for (const candidate of editions) if (Date.parse(candidate.from) <= exchange.at) file = candidate.file;
  return file;
}
