import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { NEWS } from "./news";

/** The sample sources by id, in the order in which an edition reads them. */
export const SOURCE_IDS: readonly string[] = Object.keys(NEWS);

/** The one file in which a source's week is asked for, whichever week it is. */
export const fileOf = (source: string): string => `${source}.json`;

const HOUR_MS = 3_600_000;
const WEEK_MS = 7 * 24 * HOUR_MS;
/** A feed shows what it had in this many weeks: with news in two of any three it is never empty. */
const WEEKS_SHOWN = 3;

/** What the samples say of a source that its news must keep: its title, its licence, whether an edition can do without it. */
interface Sample {
  id: string;
  title: string;
  licence: string;
  required: boolean;
}

/**
 * Writes a folder of samples in which every week has news of its own: eight of the twelve sources have some, half of them two
 * pieces, so that nine facts of an edition cite seventeen links like the samples' own. Each week is shown from the day before
 * its edition on.
 * @param weeks edition and begin (ms UTC) of each week, in order
 */
export function writeWeeklySources(
  dir: string,
  samplesDir: string,
  weeks: readonly { edition: string; startAt: number }[],
): void {
  mkdirSync(dir, { recursive: true });
  const samples = readJson<Sample[]>(join(samplesDir, "sources.json")).filter((sample) => sample.id in NEWS);
  const pages = Object.entries(readJson<Record<string, object>>(join(samplesDir, "pages.json")));
  const written = new Map<string, object>(pages.filter(([path]) => path.startsWith("/home/")));
  const sources = samples.map(({ id, title, licence, required }) => {
    const home = NEWS[id]?.home ?? "";
    if (!written.has(home)) written.set(home, { title, text: title });
    const editions = weeks.map(({ edition, startAt }, week) => {
      const file = `${id}-${edition}.json`;
      const items = shownItems(id, week, startAt);
      for (const item of items) written.set(item.path, { title: item.title, text: item.text, language: item.language });
      writeFileSync(join(dir, file), JSON.stringify(feedOf(id, title, items), null, 2));
      return { edition, file, from: new Date(startAt - 24 * HOUR_MS).toISOString() };
    });
    const served = { format: "json-feed", contentType: "application/feed+json", template: "ascii-compatible" };
    return { id, file: fileOf(id), title, licence, required, ...served, editions };
  });
  writeFileSync(join(dir, "sources.json"), JSON.stringify(sources, null, 2));
  writeFileSync(join(dir, "pages.json"), JSON.stringify(Object.fromEntries(written), null, 2));
  copyFileSync(join(samplesDir, "audience.csv"), join(dir, "audience.csv"));
}

const readJson = <T>(path: string): T => JSON.parse(readFileSync(path, "utf8")) as T;

interface Item {
  id: string;
  path: string;
  title: string;
  text: string;
  language: string;
  at: number;
}

/** @param week counted from 0; the weeks before it are part of every feed's past */
function shownItems(source: string, week: number, startAt: number): Item[] {
  return Array.from({ length: WEEKS_SHOWN }, (_, back) => back).flatMap((back) =>
    itemsOf(source, week - back, startAt - back * WEEK_MS),
  );
}

/** The news of one source in one week, newest first. The same for the same week, however often it is asked. */
function itemsOf(source: string, week: number, startAt: number): Item[] {
  const position = SOURCE_IDS.indexOf(source);
  const known = NEWS[source];
  // Before the first week there may be a negative number, whose remainder would be one too.
  const turn = week + WEEK_OFFSET;
  if (known === undefined || (position + turn) % 3 === 0) return [];
  return Array.from({ length: 1 + (position % 2) }, (_, number) => {
    const [title, text] = known.news[(turn + number) % known.news.length] ?? ["", ""];
    const day = new Date(startAt).toISOString().slice(0, 10);
    const id = `${source}:${day}-${number + 1}`;
    const path = `/articles/${source}/${day}-${number + 1}`;
    const fill = (words: string) => fillNumbers(words, turn, position + number);
    return {
      ...{ id, path, title: fill(title), text: fill(text), language: known.language },
      at: startAt - (20 + 30 * number + position) * HOUR_MS,
    };
  });
}

/** Makes the week before the first one count from above zero. */
const WEEK_OFFSET = 9;

function fillNumbers(words: string, turn: number, salt: number): string {
  const numbers: Readonly<Record<string, number>> = {
    a: 11 + ((7 * turn + 5 * salt) % 37),
    b: 12 + ((11 * turn + 3 * salt) % 41),
    c: 100 + 10 * ((13 * turn + 7 * salt) % 83),
    v: turn,
  };
  return words.replace(/\{([abcv])\}/g, (_, name: string) => String(numbers[name]));
}

function feedOf(source: string, title: string, items: readonly Item[]): object {
  return {
    version: "https://jsonfeed.org/version/1.1",
    title,
    home_page_url: `{{base}}${NEWS[source]?.home}`,
    feed_url: `{{base}}/sources/${fileOf(source)}`,
    language: NEWS[source]?.language,
    items: items.map(({ id, path, title: headline, text, at }) => ({
      ...{ id, url: `{{base}}${path}`, title: headline, content_text: text },
      date_published: new Date(at).toISOString(),
    })),
  };
}
