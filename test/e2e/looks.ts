import path from "node:path";
import { AxeBuilder } from "@axe-core/playwright";
import type { Locator, Page } from "@playwright/test";
import { en } from "../../renderer/locales/en";
import { zhCN } from "../../renderer/locales/zh-CN";
import { expect } from "./app";

/**
 * Screens in both languages and both themes, judged by axe. A theme changes colours and no structure, a language structure and
 * no colours: in a test run each screen is seen in one pair. `npm run shots` goes through all four and takes pictures.
 */
const LANGUAGES = ["en", "zh-CN"] as const;
const THEMES = ["light", "dark"] as const;
type Language = (typeof LANGUAGES)[number];
type Theme = (typeof THEMES)[number];
type Words = typeof zhCN;

const WORDS: Readonly<Record<Language, Words>> = { en, "zh-CN": zhCN };
/** What stands around a code that has no wording. */
const WORDLESS = [en, zhCN].map((words) => words.codeWithoutWord.replace("{{code}}", "").trim());
const shotsFolder = process.env.IMPRIMATUR_SHOTS;

/** Going through everything four times takes longer than a test run may. */
export const LONG_MS = shotsFolder === undefined ? 240_000 : 900_000;

type Pair = readonly [Language, readonly Theme[]];
const ALL: readonly Pair[] = LANGUAGES.map((language) => [language, THEMES]);
/** In a test run each screen is seen in one of these, in turn: its words and structure in both are the scenes' test. */
const SCREEN: readonly Pair[] = [
  ["en", ["light"]],
  ["zh-CN", ["dark"]],
];
let screens = 0;
const PART: readonly Pair[] = [["zh-CN", ["dark"]]];

/** Opens something that stands over the screen, and so has to be opened in each language anew. Escape closes it. */
type Over = (words: Words) => Promise<Locator>;

/** Looks at the screen, for a picture in both languages and themes, and leaves it in English. */
export async function lookAt(win: Page, name: string): Promise<void> {
  screens += 1;
  await look(win, name, [SCREEN[screens % SCREEN.length] as Pair]);
}

/** Looks at a part of a screen that was looked at before: another tab, or a dialog over it. Once is enough in a test run. */
export const lookAtPart = (win: Page, name: string, over?: Over) => look(win, name, PART, over);

/** For what differs from the screen before in its state or in what a frame shows, and has nothing new for axe. */
export async function pictureOf(win: Page, name: string): Promise<void> {
  if (shotsFolder !== undefined) await look(win, name, ALL);
}

async function look(win: Page, name: string, pairs: readonly Pair[], over?: Over): Promise<void> {
  for (const [language, themes] of shotsFolder === undefined ? pairs : ALL) {
    await speak(win, language);
    const dialog = await over?.(WORDS[language]);
    if (dialog) await expect(dialog).toBeVisible();
    for (const theme of themes) {
      await win.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
      if (shotsFolder !== undefined)
        await win.screenshot({ path: path.join(shotsFolder, `${name}.${language}.${theme}.png`) });
      await judge(win, `${name}, ${language}, ${theme}`);
    }
    if (dialog) {
      await win.keyboard.press("Escape");
      await expect(dialog).toBeHidden();
    }
  }
  await win.emulateMedia({ colorScheme: null, reducedMotion: null });
  await speak(win, "en");
}

/** Switches the language by the button that is on every page. */
async function speak(win: Page, language: Language): Promise<void> {
  const other = WORDS[language === "en" ? "zh-CN" : "en"].preferences.languageLabel;
  const shown = WORDS[language].preferences.languageLabel;
  const buttons = win.getByRole("button", { name: new RegExp(`^(${other}|${shown})$`) });
  if ((await buttons.getAttribute("aria-label")) === other) await buttons.click();
  await expect(win.getByRole("button", { name: shown })).toBeVisible();
}

async function judge(win: Page, where: string): Promise<void> {
  // Legacy mode: the other one opens a window of its own for the frames, which this program denies.
  const { violations } = await new AxeBuilder({ page: win }).setLegacyMode().analyze();
  const found = violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.target.join(" ")} ${node.html}`),
  );
  expect.soft(found, `axe: ${where}`).toEqual([]);
  for (const wordless of WORDLESS) await expect.soft(win.getByText(wordless), `words: ${where}`).toHaveCount(0);
  const overflow = await win.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth - clientWidth;
  });
  expect.soft(overflow, `sideways overflow: ${where}`).toBeLessThanOrEqual(0);
}
