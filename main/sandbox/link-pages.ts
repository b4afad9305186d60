import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { escapeHtml } from "./escape-html";
import { type Answer, type Exchange, refuse } from "./exchange";

const pageSchema = z.object({
  title: z.string(),
  text: z.string(),
  language: z.string().default("en"),
  /** `redirect` leads to `to`; `bots-refused` answers 403 to everything that does not say it is a browser. */
  kind: z.enum(["page", "redirect", "bots-refused"]).default("page"),
  to: z.string().optional(),
});
const pagesSchema = z.record(z.string(), pageSchema);

/** The pages that the sample sources link to, so that link checking has something real to check. */
export class LinkPages {
  private constructor(private readonly pages: ReadonlyMap<string, z.infer<typeof pageSchema>>) {}

  /** @throws Error when `pages.json` is missing or wrong. */
  static async open(samplesDir: string): Promise<LinkPages> {
    const value: unknown = JSON.parse(await readFile(join(samplesDir, "pages.json"), "utf8"));
    return new LinkPages(new Map(Object.entries(pagesSchema.parse(value))));
  }

  /** Answers for one path below `/articles` and `/home`. */
  answer(exchange: Exchange): Answer {
    const page = this.pages.get(exchange.url.pathname);
    if (page === undefined) return refuse(404, "no_such_page");
    if (page.kind === "redirect" && page.to !== undefined) {
      return { status: 301, body: Buffer.alloc(0), headers: { Location: page.to } };
    }
    const agent = exchange.request.headers["user-agent"] ?? "";
    if (page.kind === "bots-refused" && !isBrowser(agent)) {
      return htmlAnswer(403, "en", "Access denied", "Automated requests are not answered. Please use a browser.");
    }
    return htmlAnswer(200, page.language, page.title, page.text);
  }
}

/** Honest robots write `compatible` where a browser writes its system. */
function isBrowser(agent: string): boolean {
  return /^Mozilla\/5\.0 \((?!compatible)/.test(agent);
}

function htmlAnswer(status: number, language: string, title: string, text: string): Answer {
  const head = `<meta charset="utf-8"><title>${escapeHtml(title)}</title>`;
  const body = `<h1>${escapeHtml(title)}</h1>\n<p>${escapeHtml(text)}</p>`;
  const html = `<!doctype html>\n<html lang="${language}">\n<head>${head}</head>\n<body>\n${body}\n</body>\n</html>\n`;
  return { status, body: Buffer.from(html, "utf8"), headers: { "Content-Type": "text/html; charset=utf-8" } };
}
