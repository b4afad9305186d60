/** The elements of a page that may be items, each in document order. */
export interface PageParts {
  /** Articles that stand in no other article: one inside another is a comment or a quotation of it. */
  articles: readonly Element[];
  /** List items without a list item inside, outside of menus and the page's frame. */
  listItems: readonly Element[];
  /** Headings outside of the page's frame. */
  headings: readonly Element[];
}

export const HEADINGS = "h1,h2,h3,h4,h5,h6";
const HEADING = new Set(HEADINGS.split(","));
/** The frame that every page of a site has. */
const FRAME = new Set(["nav", "header", "footer", "aside", "menu"]);

/**
 * Finds the parts in one walk. Asking each element for its ancestors and descendants would take quadratic time on pages
 * made to be slow.
 * @param root what list items and headings are taken from; articles are taken from the whole document.
 */
export function findPageParts(document: Node, root: Node): PageParts {
  const articles: Element[] = [];
  const headings: Element[] = [];
  const listItems = new Set<Element>();
  const open: Step[] = [{ node: document, inRoot: false, inFrame: false, inArticle: false, entry: null }];
  for (let step = open.pop(); step !== undefined; step = open.pop()) {
    const { node } = step;
    const element = node.nodeType === 1 ? (node as Element) : null;
    const name = element?.localName ?? "";
    const next = {
      inRoot: step.inRoot || node === root,
      inFrame: step.inFrame || FRAME.has(name),
      inArticle: step.inArticle || name === "article",
      entry: name === "li" ? element : step.entry,
    };
    if (element !== null && name === "article" && !step.inArticle) articles.push(element);
    if (element !== null && next.inRoot && !next.inFrame) {
      if (HEADING.has(name)) headings.push(element);
      if (name === "li") listItems.add(element);
    }
    if (name === "li" && step.entry !== null) listItems.delete(step.entry);
    for (const child of [...node.childNodes].reverse()) open.push({ node: child, ...next });
  }
  return { articles, headings, listItems: [...listItems] };
}

interface Step {
  node: Node;
  inRoot: boolean;
  inFrame: boolean;
  inArticle: boolean;
  /** The innermost list item around the node. */
  entry: Element | null;
}
