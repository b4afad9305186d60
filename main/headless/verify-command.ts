import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { parseArgs } from "node:util";
import { type AllowedSigner, readAllowedSigners } from "../evidence/allowed-signers";
import { unpackBundle } from "../evidence/unpack-bundle";
import { type BundleVerdict, verifyBundle } from "../evidence/verify-bundle";
import type { Streams } from "./streams";
import { typedIdentity } from "./typed-identity";

export const VERIFY_HELP = `verify: checks an evidence bundle; needs no workspace and no network

  verify FILE.zip [options]

  --signers FILE    who may sign, as for ssh-keygen -Y verify -f; it must not have come with the bundle.
                    Without it nothing is known of whose key it is, and that is said
  --identity NAME   who must have signed; otherwise whoever the bundle names
  --into DIR        unpacks a valid bundle into a new folder; of one that is not valid, nothing is unpacked
  --json            one JSON object on standard output: valid, checks, signer, events, head

Each check is ok, FAIL, or open: what would answer it is not there (--json: ok is true, false or null). Open is no fault; whether
it matters is for whoever reads to say. Exit 0: nothing failed.
`;

interface Asked {
  file: string;
  signers: readonly AllowedSigner[] | null;
  identity: string | null;
  into: string | null;
  json: boolean;
}

function readArguments(args: readonly string[]): Asked | { help: true } | { wrong: string } {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: {
        signers: { type: "string" },
        identity: { type: "string" },
        into: { type: "string" },
        json: { type: "boolean" },
        help: { type: "boolean" },
      },
      allowPositionals: true,
    });
    if (values.help) return { help: true };
    const [file, ...more] = positionals;
    if (file === undefined || more.length > 0) return { wrong: "name one bundle: verify FILE.zip [--json]" };
    for (const path of [file, values.signers])
      if (path !== undefined && !statSync(path, { throwIfNoEntry: false })?.isFile())
        return { wrong: `${path}: there is no such file` };
    const { json = false } = values;
    const identity = typedIdentity(values.identity);
    const into = values.into === undefined ? null : resolve(values.into);
    if (into !== null && existsSync(into)) return { wrong: `--into ${into} is there already; name a new folder` };
    if (into !== null && !existsSync(dirname(into)))
      return { wrong: `--into ${into}: there is no folder ${dirname(into)}` };
    if (values.signers === undefined) return { file, signers: null, identity, into, json };
    const read = readAllowedSigners(readFileSync(values.signers, "utf8"));
    if (read.kind === "refused") return { wrong: `--signers ${values.signers}: ${read.detail}` };
    return { file, signers: read.signers, identity, into, json };
  } catch (error) {
    if (error instanceof TypeError) return { wrong: error.message };
    throw error;
  }
}

/**
 * `verify FILE.zip`: names everything that is wrong with a bundle.
 * @returns 0 only for a valid one, 1 for one that is not, 2 for a mistake of the call.
 */
export async function verifyCommand(args: readonly string[], streams: Streams): Promise<number> {
  const asked = readArguments(args);
  if ("help" in asked) {
    streams.out(VERIFY_HELP);
    return 0;
  }
  if ("wrong" in asked) {
    streams.err(`verify: ${asked.wrong}\n`);
    return 2;
  }
  const verdict = await (asked.into === null
    ? verifyBundle(asked.file, asked)
    : unpackBundle(asked.file, asked.into, `${asked.into}.${process.pid}.part`, asked));
  streams.out(asked.json ? `${JSON.stringify(verdict)}\n` : asText(verdict));
  return verdict.valid ? 0 : 1;
}

const WORDS = { true: "ok  ", false: "FAIL", null: "open" };

function asText({ valid, checks, signer, events, head, label }: BundleVerdict): string {
  const lines = checks.map(({ name, ok, detail }) => `${WORDS[`${ok}`]} ${name}: ${detail}`);
  const by = signer === null ? "by nobody known" : `${signer.identity}, ${signer.fingerprint}`;
  const what = `${label ?? "?"}, signed ${by}; ${events ?? "?"} events, head ${head?.slice(0, 16) ?? "?"}`;
  return `${[...lines, `${what}: ${valid ? "VALID" : "NOT valid"}`].join("\n").replace(/[^\P{Cc}\n]|\p{Bidi_Control}/gu, "?")}\n`;
}
