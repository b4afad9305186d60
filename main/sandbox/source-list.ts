import { existsSync, readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { extname, join } from "node:path";
import { z } from "zod";

const KINDS: Readonly<Record<string, { format: SourceFormat; contentType: string }>> = {
  // No charset with the text formats: the file's own declaration has to decide.
  ".xml": { format: "auto", contentType: "application/xml" },
  ".rss": { format: "rss", contentType: "application/rss+xml" },
  ".atom": { format: "atom", contentType: "application/atom+xml" },
  ".json": { format: "json-feed", contentType: "application/feed+json" },
  ".html": { format: "html", contentType: "text/html" },
  ".htm": { format: "html", contentType: "text/html" },
};
/** Deep enough for any folder made by hand; a loop of mounts must not hang the start. */
const MAX_DEPTH = 8;

type SourceFormat = "rss" | "atom" | "json-feed" | "html" | "auto";

const entrySchema = z
  .object({
    id: z.string().min(1).optional(),
    file: z.string().min(1).optional(),
    /** Where the source is; together with `file`: where the file came from, which its relative links belong to. */
    url: z.url({ protocol: /^https?$/ }).optional(),
    title: z.string().min(1),
    licence: z.string().min(1),
    required: z.boolean().default(false),
    format: z.enum(["rss", "atom", "json-feed", "html", "auto"]).optional(),
    contentType: z.string().optional(),
    /** The file carries `{{base}}` where the server's address belongs. Never set for files that others brought. */
    template: z.enum(["ascii-compatible", "gb18030"]).optional(),
    /** Other states of the same page, each shown from a moment on; `file` is the newest before the first of them. */
    editions: z.array(z.object({ edition: z.string(), file: z.string(), from: z.iso.datetime() })).optional(),
  })
  .refine((entry) => entry.file !== undefined || entry.url !== undefined, { error: "needs file or url, or both" });

export type SourceEntry = Omit<z.infer<typeof entrySchema>, "id" | "format" | "contentType"> & {
  id: string;
  format: SourceFormat;
  contentType: string;
};

/** What a file is served as. */
export function contentTypeOf(file: string): string {
  return KINDS[extname(file).toLowerCase()]?.contentType ?? "application/octet-stream";
}

/**
 * Lists the sources of a folder: by its `sources.json` where there is one, else every feed and page in it.
 * @throws Error when `sources.json` is not what it should be, naming what is wrong.
 */
export async function listSources(dir: string): Promise<SourceEntry[]> {
  const listFile = join(dir, "sources.json");
  const entries = existsSync(listFile) ? readList(listFile) : await scan(dir);
  const used = new Set<string>();
  return entries.map((entry) => {
    const place = entry.file ?? entry.url ?? "";
    const kind = KINDS[extname(entry.file ?? new URL(place).pathname).toLowerCase()];
    const id = freeId(entry.id ?? idFrom(place), used);
    used.add(id);
    return {
      ...entry,
      id,
      format: entry.format ?? kind?.format ?? "auto",
      contentType: entry.contentType ?? kind?.contentType ?? "application/octet-stream",
    };
  });
}

type Listed = z.infer<typeof entrySchema>;

function readList(path: string): Listed[] {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, "utf8").replace(/^\uFEFF/, ""));
  } catch (error) {
    throw new Error(`sources.json is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  const checked = z.array(entrySchema).safeParse(value);
  if (checked.success) return checked.data;
  const faults = checked.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
  throw new Error(`sources.json: ${faults.join("; ")}`);
}

async function scan(dir: string, below = "", depth = 0): Promise<Listed[]> {
  const found: Listed[] = [];
  const items = await readdir(join(dir, below), { withFileTypes: true });
  items.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const item of items) {
    if (item.name.startsWith(".")) continue;
    const file = below === "" ? item.name : `${below}/${item.name}`;
    // Links are neither files nor folders here, so nothing outside is ever listed.
    if (item.isDirectory() && depth < MAX_DEPTH) found.push(...(await scan(dir, file, depth + 1)));
    const isSource = item.isFile() && KINDS[extname(item.name).toLowerCase()] !== undefined;
    if (isSource) found.push({ file, title: item.name, licence: "unknown", required: false });
  }
  return found;
}

/** A short name made of the letters and digits of any script, so that a folder in Chinese stays readable. */
function idFrom(place: string): string {
  const stem = place.replace(/^https?:\/\//, "").replace(/\.[A-Za-z]+$/, "");
  const id = stem
    .normalize("NFC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-");
  return id.replace(/^-+|-+$/g, "") || "source";
}

function freeId(wanted: string, used: ReadonlySet<string>): string {
  let id = wanted;
  for (let number = 2; used.has(id); number += 1) id = `${wanted}-${number}`;
  return id;
}
