/** Lines of a BagIt manifest: a digest, two blanks, a path with line ends and percent signs encoded (RFC 8493, 2.1.3). */

const encodePath = (path: string): string =>
  path.replace(/[%\r\n]/g, (char) => ({ "%": "%25", "\r": "%0D", "\n": "%0A" })[char] ?? char);
const decodePath = (path: string): string =>
  path.replace(/%(25|0[DdAa])/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

export const manifestLine = (digest: string, path: string): string => `${digest}  ${encodePath(path)}\n`;

/**
 * Reads a manifest.
 * @returns digest by path, or what is wrong with it: a line that is none, or a path that is listed twice.
 */
export function readManifest(text: string): { digests: Map<string, string> } | { fault: string } {
  const digests = new Map<string, string>();
  const lines = text.split("\n");
  if (lines.pop() !== "") return { fault: "its last line is cut off" };
  for (const [index, line] of lines.entries()) {
    const match = /^([0-9a-f]{64}) {2}(\S.*)$/.exec(line);
    const path = decodePath(match?.[2] ?? "");
    if (match?.[1] === undefined) return { fault: `line ${index + 1} is not a SHA-256 and a path` };
    if (digests.has(path)) return { fault: `${path} is listed twice` };
    digests.set(path, match[1]);
  }
  return { digests };
}

/** Lines of `bag-info.txt`. A value stays on its line, whatever is in it. */
export const infoLine = (label: string, value: string): string =>
  `${label}: ${value.replace(/\p{Cc}+/gu, " ").trim()}\n`;

/** Reads `bag-info.txt`; of a label that stands there twice, the first counts, and the list says so. */
export function readInfo(text: string): { values: Map<string, string>; repeated: string[] } {
  const values = new Map<string, string>();
  const repeated: string[] = [];
  for (const line of text.split("\n")) {
    const at = line.indexOf(":");
    if (at <= 0) continue;
    const label = line.slice(0, at);
    if (values.has(label)) repeated.push(label);
    else values.set(label, line.slice(at + 1).trim());
  }
  return { values, repeated };
}
