/**
 * One spelling per mailbox: NFC, no blanks around, lower case, an international domain in its ASCII form (case B9).
 * The local part is lowered too: no provider in use tells `Ann@` from `ann@`, and mailing both would be mailing twice.
 * Dots and `+tags` are left alone; they are different mailboxes at most providers.
 * @returns null for what is no plain address: quoted local parts, display names, address literals, two at signs.
 */
export function canonicaliseAddress(raw: string): string | null {
  // Zero-width characters come along when addresses are copied from web pages; nobody can see them to remove them.
  const address = raw
    .replace(/[\u200B-\u200D\u2060\uFEFF]/g, "")
    .normalize("NFC")
    .trim();
  const at = address.lastIndexOf("@");
  if (at <= 0) return null;
  const local = address.slice(0, at).toLowerCase().normalize("NFC");
  const domain = canonicaliseDomain(address.slice(at + 1));
  if (domain === null) return null;
  if (!/^[^\s\p{Cc}\p{Cf}\p{Surrogate}"(),:;<>@[\\\]]+$/u.test(local)) return null;
  if (local.startsWith(".") || local.endsWith(".") || local.includes("..")) return null;
  // RFC 5321 4.5.3.1: 64 octets before the at sign, 254 in all.
  if (utf8Length(local) > 64 || utf8Length(local) + 1 + domain.length > 254) return null;
  return `${local}@${domain}`;
}

function canonicaliseDomain(raw: string): string | null {
  const lower = raw.toLowerCase().normalize("NFC");
  // Only letters, marks, digits, hyphens and dots may reach the URL parser, which would also accept ports, percent
  // escapes and numbers in other bases.
  if (!/^[\p{L}\p{M}\p{N}.-]+$/u.test(lower)) return null;
  let host: string;
  try {
    host = new URL(`http://${lower}/`).hostname;
  } catch {
    return null;
  }
  const labels = host.split(".");
  const isName = labels.length >= 2 && labels.every((label) => /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(label));
  return isName && !/^[0-9]+$/.test(labels.at(-1) ?? "") && host.length <= 253 ? host : null;
}

function utf8Length(text: string): number {
  return new TextEncoder().encode(text).length;
}
