import dns from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";

/**
 * Addresses that only this machine or its own network can reach. Feeds and drafts are other people's words: a link in
 * one must not make this program call a printer, a router or a service on localhost.
 */
const PRIVATE = new BlockList();
for (const [net, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
  ["224.0.0.0", 3],
] as const) {
  PRIVATE.addSubnet(net, prefix, "ipv4");
}
for (const [net, prefix] of [
  ["::", 127],
  ["fc00::", 7],
  ["fe80::", 10],
  ["ff00::", 8],
] as const) {
  PRIVATE.addSubnet(net, prefix, "ipv6");
}

/** Whether an IP address (v4, v6, or v4 written as v6) is one of this machine or its own network. */
export function isPrivateAddress(address: string): boolean {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  const plain = mapped ?? address;
  const version = isIP(plain);
  return version !== 0 && PRIVATE.check(plain, version === 6 ? "ipv6" : "ipv4");
}

/** Whether a URL's host is an address or `localhost` that can be judged without asking the name service. */
export function isPrivateHost(url: URL): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, "").toLowerCase();
  if (host === "localhost" || host.endsWith(".localhost")) return true;
  // The URL parser has brought every other spelling of an IPv4 address into dotted form; ::ffff: it writes in hex.
  const hex = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(host);
  if (hex === null) return isPrivateAddress(host);
  const [high, low] = [Number.parseInt(hex[1] ?? "", 16), Number.parseInt(hex[2] ?? "", 16)];
  return isPrivateAddress(`${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`);
}

/** The code of the error that {@link publicLookup} gives. */
export const PRIVATE_ADDRESS = "EPRIVATE";

/** Resolves names as usual, and refuses answers that lead inside: the name is judged by the address really dialled. */
export const publicLookup: LookupFunction = (hostname, options, callback) => {
  dns.lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return callback(error, "");
    const first = addresses[0];
    if (first === undefined || addresses.some((one) => isPrivateAddress(one.address))) {
      return callback(Object.assign(new Error("the name leads to a private address"), { code: PRIVATE_ADDRESS }), "");
    }
    return options.all === true ? callback(null, addresses) : callback(null, first.address, first.family);
  });
};
