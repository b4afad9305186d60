import path from "node:path";
import { AxeBuilder } from "@axe-core/playwright";
import type { Locator, Page } from "@playwright/test";
import { en } from "../../renderer/locales/en";
import { zhCN } from "../../renderer/locales/zh-CN";
import { expect } from "./app";

/**
 * Every screen in both languages and both themes. A test run lets axe judge them: a theme changes colours and no structure, a
 * language structure and no colours, so each theme with one language finds what all four pairs would. `npm run shots` takes
 * pictures of all four instead, for a person to judge.
 */
const LANGUAGES = ["en", "zh-CN"] as const;
const THEMES = ["light", "dark"] as const;
type Language = (typeof LANGUAGES)[number];
type Words = typeof zhCN;

const WORDS: Readonly<Record<Language, Words>> = { en, "zh-CN": zhCN };
/** What stands around a code that has no wording. */
const WORDLESS = [en, zhCN].map((words) => words.codeWithoutWord.replace("{{code}}", "").trim());
const shotsFolder = process.env.IMPRIMATUR_SHOTS;

const themesFor = (language: Language): readonly (typeof THEMES)[number][] =>
  shotsFolder !== undefined ? THEMES : [language === "en" ? "light" : "dark"];

/** Opens something that stands over the screen, and so has to be opened in each language anew. Escape closes it. */
type Over = (words: Words) => Promise<Locator>;

/** Looks at what is on the screen in every language and theme, and leaves it in English. */
export async function lookAt(win: Page, name: string, over?: Over): Promise<void> {
  for (const language of LANGUAGES) {
    const words = WORDS[language];
    await speak(win, language);
    const dialog = await over?.(words);
    if (dialog) await expect(dialog).toBeVisible();
    for (const theme of themesFor(language)) {
      await win.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
      if (shotsFolder === undefined) await judge(win, `${name}, ${language}, ${theme}`);
      else await win.screenshot({ path: path.join(shotsFolder, `${name}.${language}.${theme}.png`) });
    }
    if (dialog) {
      await win.keyboard.press("Escape");
      await expect(dialog).toBeHidden();
    }
  }
  await win.emulateMedia({ colorScheme: null, reducedMotion: null });
  await speak(win, "en");
}

/** For a screen that differs from the one before only in what stands in a frame: nothing new for axe. */
export async function pictureOf(win: Page, name: string): Promise<void> {
  if (shotsFolder !== undefined) await lookAt(win, name);
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
