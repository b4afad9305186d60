import { HASH_RULE_VERSION } from "../../domain/hash-rule";
import { canonicalBytes, type EditionDocument } from "./edition-document";
import { escapeHtml, escapeLines } from "./escape-html";
import { wordingFor } from "./wording";

/** The mail of an edition, the same for every recipient: nothing in it depends on who gets it. */
export interface EditionEmail {
  subject: string;
  text: string;
  html: string;
}

/** What the editor may change of the mail without touching the page. */
export interface EmailWords {
  subject: string;
  intro: string;
}

/**
 * Renders the mail. Pure.
 * @param input.pageUrl the verified public address; it is known only after publishing, which is why the body is rendered
 * and hashed then, and bound into the send approval together with it.
 */
export function renderEmail(input: { document: EditionDocument; email: EmailWords; pageUrl: string }): EditionEmail {
  // One line whatever the draft says: a line break in a subject is a header injection.
  const subject = input.email.subject.replace(/\s+/gu, " ").trim();
  return { subject, text: renderText(input), html: renderHtml(input) };
}

function renderText(input: { document: EditionDocument; email: EmailWords; pageUrl: string }): string {
  const { document, email, pageUrl } = input;
  const words = wordingFor(document.language);
  const facts = document.facts.map((fact, index) => `${index + 1}. ${fact.headline}\n${fact.statement}\n${fact.url}`);
  return [document.title, email.intro, ...facts, `${words.fullEdition}\n${pageUrl}`, ""]
    .join("\n\n")
    .trimEnd()
    .concat("\n");
}

function renderHtml(input: { document: EditionDocument; email: EmailWords; pageUrl: string }): string {
  const { document, email, pageUrl } = input;
  const words = wordingFor(document.language);
  const page = escapeHtml(pageUrl);
  // Styles sit on the elements: several mail programs drop style sheets.
  const facts = document.facts.map((fact) =>
    [
      `<h2 style="font-size:18px;line-height:1.35;margin:24px 0 4px"><a href="${escapeHtml(fact.url)}">${escapeHtml(fact.headline)}</a></h2>`,
      `<p style="margin:0">${escapeLines(fact.statement)}</p>`,
    ].join("\n"),
  );
  return [
    "<!DOCTYPE html>",
    `<html lang="${escapeHtml(document.language)}">`,
    "<head>",
    '<meta charset="utf-8">',
    `<title>${escapeHtml(document.title)}</title>`,
    "</head>",
    '<body style="margin:0;padding:16px;font:16px/1.6 Arial,Helvetica,sans-serif;color:#1c1c1c">',
    '<div style="max-width:600px;margin:0 auto">',
    `<h1 style="font-size:22px;line-height:1.3">${escapeHtml(document.title)}</h1>`,
    `<p>${escapeLines(email.intro)}</p>`,
    ...facts,
    `<p style="margin:32px 0"><a href="${page}">${escapeHtml(words.readOnline)}</a><br>${page}</p>`,
    "</div>",
    "</body>",
    "</html>",
    "",
  ].join("\n");
}

/** The bytes whose SHA-256 is the e-mail body hash: subject, text and HTML under the text part of hash rule 2. */
export function bodyHashInput(email: EditionEmail): Uint8Array {
  return canonicalBytes({ rule: HASH_RULE_VERSION, subject: email.subject, text: email.text, html: email.html });
}
