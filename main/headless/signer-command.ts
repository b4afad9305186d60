import { join } from "node:path";
import { openReader } from "../../db/connect";
import { type ExecuteResult, Journal } from "../../db/journal";
import { JOURNAL_NAME } from "../../db/open";
import { readRegistrations } from "../../db/queries/registered-signers";
import { noCrashPoints } from "../adapters/crash-points";
import type { Asking } from "../compose/agent-keys";
import { FIRST_KEY, newFolderSigner, publicPart } from "../compose/approval-signer";
import { editorName } from "../compose/editor-name";
import { type RegisteredKey, readRegisteredKey } from "../evidence/approval-signers";
import { utc } from "../evidence/moments";
import type { PublicSigner } from "../evidence/signing-key";
import { briefingDefinition } from "../pipeline/briefing/definition";
import { membershipDefinition } from "../pipeline/membership-cancellation/definition";
import { namedSigner } from "./export-signer";
import { nowIn, openToWrite, placeOfWorkspace, type WorkspacePlace, type Wrong } from "./open-to-write";
import { parseSignerOptions, type SignerOptions } from "./signer-options";
import type { Streams } from "./streams";

/** A key as the journal tells it; `signsNow`: the newest. */
interface ListedKey extends RegisteredKey {
  at: string;
  by: string;
  reason: string;
  signsNow: boolean;
}

/** `signer WORKSPACE list|register|replace`: the keys of any workspace's journal. @returns 0 only when it was done. */
export async function signerCommand(args: readonly string[], streams: Streams): Promise<number> {
  const parsed = parseSignerOptions(args);
  if ("help" in parsed) {
    streams.out(parsed.help);
    return 0;
  }
  const wrong = "wrong" in parsed ? { wrong: parsed.wrong, code: 2 } : await act(parsed.options);
  if (wrong !== null) {
    streams.err(`signer: ${wrong.wrong}\n`);
    return wrong.code;
  }
  const { options } = parsed as { options: SignerOptions };
  const keys = listKeys(options.dir);
  streams.out(options.json ? `${JSON.stringify({ keys })}\n` : inWords(keys));
  return 0;
}

function listKeys(dir: string): ListedKey[] {
  const reader = openReader(join(dir, JOURNAL_NAME));
  try {
    const rows = readRegistrations(reader);
    return rows.flatMap(({ at, actor, reason, payload }, index) => {
      const key = readRegisteredKey(payload ?? "");
      const told = { at: utc(at), by: actor, reason: reason ?? "", signsNow: index === rows.length - 1 };
      return key === null ? [] : [{ ...key, ...told }];
    });
  } finally {
    reader.close();
  }
}

async function act(options: SignerOptions): Promise<Wrong | null> {
  if (options.act === "list") return null;
  const keys = listKeys(options.dir);
  if (options.act === "register" && keys.length > 0)
    return { wrong: `${keys.length} key(s) are registered already; replace puts another one in their place`, code: 1 };
  if (options.act === "replace" && keys.length === 0)
    return { wrong: "no key is registered yet; register does that", code: 1 };
  const place = placeOfWorkspace(options.dir);
  return "wrong" in place ? place : register(options, place);
}

async function register(options: SignerOptions, place: WorkspacePlace): Promise<Wrong | null> {
  const { dir, workspaceId, kind } = place;
  // What the person brings is looked at before the journal is opened for writing.
  const named = options.key !== null || options.agent !== null || kind === "real";
  const how = { signal: new AbortController().signal, onAsk: (_key: Asking) => undefined };
  const found = named ? await namedSigner({ workspace: dir, workspaceId, kind }, options, how) : null;
  if (found !== null && "wrong" in found) return { wrong: found.wrong, code: 2 };
  const opened = openToWrite(place);
  if ("wrong" in opened) return opened;
  const { database } = opened;
  try {
    const journal = new Journal({
      ...{ sqlite: database.sqlite, definitions: [briefingDefinition, membershipDefinition], crash: noCrashPoints },
      now: () => nowIn(place, database),
    });
    const own = () => newFolderSigner({ dir, id: workspaceId }, journal.reader.signers());
    const signer = found === null ? own() : found.signer;
    if (signer === null) return { wrong: "signer.key cannot be made or read; name a key: --key FILE", code: 1 };
    return wrongOf(registerIn(journal, signer, options, nowIn(place, database)));
  } finally {
    database.close();
  }
}

function registerIn(journal: Journal, signer: PublicSigner, options: SignerOptions, now: number): ExecuteResult {
  const { publicKey, identity } = publicPart(signer);
  const reason = options.reason === "" ? FIRST_KEY : options.reason;
  const trusted = { at: now, trusted: true, source: "command-line" };
  const command = { type: "register_signer", publicKey, identity: options.identity ?? identity, reason } as const;
  return journal.execute(command, { actor: editorName(), now, trusted });
}

const WORDS: Readonly<Record<string, string>> = {
  signer_registered_already: "this key is registered already; a key that was replaced does not come back",
  signer_key_unreadable: "this is no Ed25519 public key under a name that can be used",
};

function wrongOf(answer: ExecuteResult): Wrong | null {
  if (answer.result === "applied") return null;
  const codes = "unmet" in answer ? answer.unmet.map(({ code }) => WORDS[code] ?? code.replaceAll("_", " ")) : [];
  return { wrong: `not registered: ${codes.join("; ") || answer.result}`, code: 1 };
}

function inWords(keys: readonly ListedKey[]): string {
  if (keys.length === 0) return "no key is registered: approvals are not signed\n";
  const line = ({ fingerprint, identity, at, by, reason, signsNow }: ListedKey) =>
    `${signsNow ? "signs now  " : "signed once"} ${fingerprint}  ${identity}  since ${at}  by ${by}: ${reason}\n`;
  return keys.map(line).join("");
}
