import { utc } from "./moments";

/**
 * Time stamps of RFC 3161, as far as one is asked for and told apart: whose signature it bears is for `openssl ts -verify` to
 * say, with the certificate of somebody whom the reader trusts.
 */

const TAG = { boolean: 0x01, integer: 0x02, octets: 0x04, time: 0x18, sequence: 0x30 } as const;
const OID_SHA256 = Buffer.from("0609608648016503040201", "hex");
const OID_SIGNED_DATA = "2a864886f70d010702";
const OID_TIME_INFO = "2a864886f70d0109100104";
const NULL = Buffer.from("0500", "hex");
/** "Granted", and "granted with changes". */
const GRANTED = [0, 1];

function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  if (content.length > 0x7f) throw new RangeError("a request for a time stamp is shorter than this");
  return Buffer.concat([Buffer.from([tag, content.length]), content]);
}

/**
 * What a server is sent: the hash of what is to be stamped, and nothing of it.
 * @param nonce comes back in the answer, so that an old answer is none
 */
export function timestampRequest(sha256: Uint8Array, nonce: Uint8Array): Buffer {
  const imprint = der(TAG.sequence, der(TAG.sequence, OID_SHA256, NULL), der(TAG.octets, sha256));
  const wantsCertificate = der(TAG.boolean, Buffer.from([0xff]));
  return der(TAG.sequence, der(TAG.integer, Buffer.from([1])), imprint, der(TAG.integer, nonce), wantsCertificate);
}

export type TimestampRead = { kind: "stamp"; at: string; nonce: Buffer | null } | { kind: "bad"; detail: string };

/** What an answer says, where it is one about this hash. Its signature is not looked at. */
export function readTimestamp(answer: Uint8Array, sha256: Uint8Array): TimestampRead {
  const bad = (detail: string): TimestampRead => ({ kind: "bad", detail });
  const response = elementsOf(Buffer.from(answer));
  if (response?.length !== 1) return bad("it is no answer of a time-stamp server");
  const [status, token] = inside(response[0]);
  const code = inside(status)[0];
  if (code?.tag !== TAG.integer || !GRANTED.includes(code.content[0] ?? -1)) return bad("the server refused");
  const [kind, signed] = inside(token);
  const [, , packed] = inside(inside(signed)[0]);
  const [infoKind, octets] = inside(packed);
  const isToken = kind?.content.toString("hex") === OID_SIGNED_DATA;
  if (!isToken || infoKind?.content.toString("hex") !== OID_TIME_INFO) return bad("there is no time stamp in it");
  const [, , imprint, , time, ...more] = inside(inside(inside(octets)[0])[0]);
  const [algorithm, hash] = inside(imprint);
  const isOfHash = algorithm?.content.subarray(0, OID_SHA256.length).equals(OID_SHA256) && hash?.content.equals(sha256);
  if (!isOfHash) return bad("it is of something else");
  const at = time?.tag === TAG.time ? momentOf(time.content.toString("latin1")) : null;
  if (at === null) return bad("its time cannot be read");
  return { kind: "stamp", at, nonce: more.find(({ tag }) => tag === TAG.integer)?.content ?? null };
}

interface Element {
  tag: number;
  content: Buffer;
}

/** The elements one after another; null where the bytes are no DER. */
function elementsOf(bytes: Buffer): Element[] | null {
  const elements: Element[] = [];
  for (let at = 0; at < bytes.length; ) {
    const [tag = 0, first = 0] = [bytes[at], bytes[at + 1]];
    const lengthBytes = first < 0x80 ? 0 : first - 0x80;
    if (at + 2 + lengthBytes > bytes.length || lengthBytes > 4) return null;
    const length = lengthBytes === 0 ? first : bytes.readUIntBE(at + 2, lengthBytes);
    const from = at + 2 + lengthBytes;
    if (from + length > bytes.length || first === 0x80) return null;
    elements.push({ tag, content: bytes.subarray(from, from + length) });
    at = from + length;
  }
  return elements;
}

/** What an element holds; also what an octet string does, as the time's own record is held in one. */
const inside = (element: Element | undefined): Element[] =>
  element === undefined ? [] : (elementsOf(element.content) ?? []);

function momentOf(text: string): string | null {
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:\.\d+)?Z$/.exec(text) ?? [];
  const at = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(at) ? null : utc(at);
}
