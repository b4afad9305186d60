/**
 * How deeply markup may be nested. Honest pages stay below a hundred; parsers and selectors take quadratic time, or run
 * out of stack, on what is made to be deep, and they run where the window is served from.
 */
const DEPTH_MAX = 500;

/**
 * How many tags one source may have. Building a tree takes about a second for this many, and a body of the allowed size
 * could hold ten million; an honest page has a few thousand, a feed with its whole archive a hundred thousand.
 */
const TAGS_MAX = 500_000;

/** Whether a source's text, with the tags that are escaped in it, is more than this program will build a tree of. */
export function hasTooManyTags(text: string): boolean {
  const tag = /<|&lt;|&#60;|&#x3c;|\\u003c/gi;
  for (let count = 0; tag.test(text); count += 1) if (count >= TAGS_MAX) return true;
  return false;
}

/** Elements that never hold others, or that the next of their kind closes: leaving them open nests nothing. */
const NOT_NESTING = new Set(
  (
    "area base br col embed hr img input link meta param source track wbr p li dt dd tr td th thead tbody tfoot option " +
    "optgroup rp rt colgroup body html head"
  ).split(" "),
);
/** Their content is text, whatever it looks like. */
const RAW = new Set(["script", "style", "textarea", "title", "xmp", "noembed", "noframes"]);

/** Thrown on markup that is nested too deeply to be parsed in reasonable time. */
export class TooDeep extends Error {
  override readonly name = "TooDeep";
}

/** @throws TooDeep when the markup opens more than 500 elements inside each other. Linear in its length. */
export function refuseDeepMarkup(html: string): void {
  if (isNestedTooDeeply(html)) throw new TooDeep("markup is nested too deeply");
}

/** Whether HTML is nested more deeply than this program will parse. An estimate that errs towards yes. */
export function isNestedTooDeeply(html: string): boolean {
  let depth = 0;
  for (let at = html.indexOf("<"); at !== -1; at = html.indexOf("<", at)) {
    if (html.startsWith("<!--", at)) {
      at = html.indexOf("-->", at + 4);
      if (at === -1) return false;
      continue;
    }
    const closes = html[at + 1] === "/";
    const name = tagName(html, closes ? at + 2 : at + 1);
    at += 1;
    if (name === "" || NOT_NESTING.has(name)) continue;
    if (closes) depth = Math.max(0, depth - 1);
    else if (RAW.has(name)) {
      at = indexOfClosing(html, name, at);
      if (at === -1) return false;
    } else {
      depth += 1;
      if (depth > DEPTH_MAX) return true;
    }
  }
  return false;
}

/** The tag's name in lower case, empty when no tag begins here; long ones are cut, no element has them. */
function tagName(html: string, from: number): string {
  return /^[a-z][^\s/><]{0,30}/i.exec(html.slice(from, from + 32))?.[0].toLowerCase() ?? "";
}

function indexOfClosing(html: string, name: string, from: number): number {
  for (let at = html.indexOf("</", from); at !== -1; at = html.indexOf("</", at + 2)) {
    if (html.slice(at + 2, at + 2 + name.length).toLowerCase() === name) return at + 2;
  }
  return -1;
}
