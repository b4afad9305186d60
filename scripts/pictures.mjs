// node scripts/pictures.mjs, after npm run shots: the README's three pictures out of out/shots, small enough to be committed.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { chromium } from "@playwright/test";
import { out, root } from "./setup/places.mjs";
import { findProgram } from "./setup/run.mjs";
import { SetupError } from "./setup/say.mjs";
import { orExit } from "./setup.mjs";

const PICTURES = {
  "content-review": "07-content-facts.en.light.png",
  "unknown-outcome": "21-run-verdicts.en.dark.png",
  "send-review": "25-send-review.zh-CN.light.png",
};
const QUALITY = 0.82;

const from = path.join(out, "shots");

/** @throws SetupError where the pictures, or what makes them small, are not there. */
function findNeeds() {
  const missing = Object.values(PICTURES).find((shot) => !existsSync(path.join(from, shot)));
  if (missing) throw new SetupError(`there is no ${missing} in out/shots; npm run shots makes it`);
  const executablePath = process.env.IMPRIMATUR_CHROMIUM ?? findProgram("chromium") ?? findProgram("google-chrome");
  if (!executablePath) throw new SetupError("there is no Chromium on the PATH; IMPRIMATUR_CHROMIUM may name one");
  return executablePath;
}

const executablePath = await orExit(findNeeds);
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
const page = await browser.newPage();
for (const [name, shot] of Object.entries(PICTURES)) {
  const png = readFileSync(path.join(from, shot)).toString("base64");
  const webp = await page.evaluate(
    async ({ png, quality }) => {
      const image = new Image();
      image.src = `data:image/png;base64,${png}`;
      await image.decode();
      const canvas = document.createElement("canvas");
      canvas.width = image.width;
      canvas.height = image.height;
      canvas.getContext("2d").drawImage(image, 0, 0);
      return canvas.toDataURL("image/webp", quality).split(",")[1];
    },
    { png, quality: QUALITY },
  );
  const file = path.join(root, "docs/pictures", `${name}.webp`);
  writeFileSync(file, Buffer.from(webp, "base64"));
  process.stdout.write(`${path.relative(root, file)}: ${Math.round((webp.length * 3) / 4_000)} kB\n`);
}
await browser.close();
