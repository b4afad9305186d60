/**
 * Cookies for the length of one redirect chain. Some sites set one and send the visitor back to the same address, and
 * loop for ever with who does not return it. Nothing is kept afterwards, so no visit can be told from another.
 */
export class ChainCookies {
  readonly #cookies = new Map<
    string,
    { name: string; value: string; host: string; hostOnly: boolean; secure: boolean }
  >();

  /** Takes the `Set-Cookie` lines of an answer from `url`. Attributes that would only matter later are ignored. */
  keep(url: URL, lines: readonly string[]): void {
    for (const line of lines) {
      const [pair = "", ...attributes] = line.split(";").map((part) => part.trim());
      const equals = pair.indexOf("=");
      if (equals <= 0) continue;
      const cookie = { name: pair.slice(0, equals), value: pair.slice(equals + 1), ...scopeOf(url, attributes) };
      const id = `${cookie.host} ${cookie.name}`;
      if (attributes.some((one) => /^max-age=(?:0|-\d+)$/i.test(one))) this.#cookies.delete(id);
      else this.#cookies.set(id, cookie);
    }
  }

  /** The `Cookie` header for a request, or null when there is none to send. */
  headerFor(url: URL): string | null {
    const pairs = [...this.#cookies.values()]
      .filter((one) => (one.hostOnly ? url.hostname === one.host : isInside(url.hostname, one.host)))
      .filter((one) => !one.secure || url.protocol === "https:")
      .map((one) => `${one.name}=${one.value}`);
    return pairs.length === 0 ? null : pairs.join("; ");
  }
}

function scopeOf(url: URL, attributes: readonly string[]): { host: string; hostOnly: boolean; secure: boolean } {
  const secure = attributes.some((one) => one.toLowerCase() === "secure");
  const domain = attributes
    .map((one) => /^domain=\.?(.+)$/i.exec(one)?.[1]?.toLowerCase())
    .find((one) => one !== undefined);
  // A single label would be a whole top-level domain.
  const isOwn = domain?.includes(".") === true && isInside(url.hostname, domain);
  return isOwn && domain !== undefined
    ? { host: domain, hostOnly: false, secure }
    : { host: url.hostname, hostOnly: true, secure };
}

function isInside(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`);
}
