// Looks at every scene of the gallery in both languages and themes, and lets axe judge each. Build the gallery first:
//   npx vite build -c test/renderer/gallery/vite.config.ts && node test/renderer/gallery/shoot.mjs [scene …]
// CHROMIUM names the browser; WIDTHS, LANGS and THEMES narrow what is looked at. THEN does something first, for example
// THEN="press:Control+k" or THEN="click:Look now;press:Tab".

import { createReadStream, existsSync, mkdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import path from "node:path";
import { chromium } from "@playwright/test";

const root = path.resolve(import.meta.dirname, "../../..");
const built = path.join(root, "out/gallery");
const shots = path.join(root, "out/gallery-shots");
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const list = (name, usual) => (process.env[name] ?? usual).split(",");
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".map": "application/json" };

const SCENES =
  "today,today-empty,today-malformed,content,content-approved,content-none,content-preview,content-diff,content-links,draft,draft-unfinished,draft-blocked,draft-hostile,draft-not-here,send,run-unknown,run-blocked,run-succeeded,run-observation,run-sources,run-recipients,run-evidence,health,health-unused,ledger,ledger-empty,ledger-no-match,ledger-failed,ledger-compare,settings,settings-import,settings-bad-rows,alerts,alerts-empty,recovery,recovery-empty,recovery-item,recovery-item-closed,sandbox,drills,drills-running,drills-played,drills-blocked,drills-decide,drills-close,drills-by-person,drills-failed,audit,audit-untouched,audit-valid,audit-refused,export-choices,export-running,export-done,first-run,problem-damaged,problem-newer".split(
    ",",
  );

const server = createServer((request, response) => {
  const name = new URL(request.url ?? "/", "http://x").pathname;
  const file = path.join(built, name === "/" ? "index.html" : path.normalize(name));
  if (!file.startsWith(built) || !existsSync(file)) return response.writeHead(404).end();
  response.writeHead(200, { "content-type": TYPES[path.extname(file)] ?? "application/octet-stream" });
  createReadStream(file).pipe(response);
});
await new Promise((done) => server.listen(0, "127.0.0.1", done));
const address = `http://127.0.0.1:${server.address().port}`;
mkdirSync(shots, { recursive: true });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox"],
});
let findings = 0;

async function look(scene, language, theme, width) {
  const [w, h] = width.split("x").map(Number);
  const page = await browser.newPage({ viewport: { width: w, height: h }, colorScheme: theme });
  page.on("pageerror", (error) => console.log(`${scene} ${language}: ${error.message}`));
  page.on("console", (message) => message.type() === "error" && console.log(`${scene} ${language}: ${message.text()}`));
  await page.goto(`${address}/?scene=${scene}&lang=${language}&theme=${theme}`);
  await page.waitForSelector("h1");
  await page.waitForTimeout(350);
  for (const step of (process.env.THEN ?? "").split(";").filter(Boolean)) {
    const [what, ...rest] = step.split(":");
    if (what === "press") await page.keyboard.press(rest.join(":"));
    else await page.getByText(rest.join(":"), { exact: true }).first().click();
    await page.waitForTimeout(250);
  }
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  if (overflow > 0) console.log(`${scene} ${language} ${width}: ${overflow} px wider than the window`);
  await page.screenshot({ path: path.join(shots, `${scene}.${language}.${theme}.${width}.png`) });
  await page.addScriptTag({ content: axe });
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { iframes: false }));
  for (const violation of violations) {
    findings += 1;
    console.log(
      `axe ${scene} ${language} ${theme} ${width}: ${violation.id} ${violation.nodes
        .map((node) => `${node.target} ${node.any[0]?.message ?? ""}`)
        .slice(0, 4)
        .join(" | ")}`,
    );
  }
  await page.close();
}

const wanted = process.argv.length > 2 ? process.argv.slice(2) : SCENES;
for (const scene of wanted)
  for (const language of list("LANGS", "en,zh-CN"))
    for (const theme of list("THEMES", "light,dark"))
      for (const width of list("WIDTHS", "1280x800,1024x700")) await look(scene, language, theme, width);
await browser.close();
server.close();
console.log(findings === 0 ? "axe found nothing" : `axe: ${findings} findings`);
process.exitCode = findings === 0 ? 0 : 1;
