import type { FrozenPackage } from "./frozen";

/**
 * Everything of a package that the content hash is made of, and the e-mail's words, as one text to be compared line by line:
 * whatever makes the bytes differ makes this text differ, down to the place of a quote in its source.
 */
export function packageText(pack: FrozenPackage): string {
  const { document, email } = pack;
  const citations = new Map(document.citations.map((citation) => [citation.factId, citation]));
  const facts = document.facts.map((fact) => {
    const citation = citations.get(fact.id);
    const place =
      citation === undefined
        ? []
        : [
            `${citation.title} · ${citation.licence} · ${citation.url}`,
            `${citation.snapshotHash.slice(0, 12)} ${citation.start}–${citation.end}`,
          ];
    return [fact.headline, fact.statement, fact.quote, fact.url, ...place].join("\n");
  });
  const sections = [document.title, document.intro, ...facts, `${email.subject}\n${email.intro}`];
  return `${sections.join("\n\n")}\n`;
}
