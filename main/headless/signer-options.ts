import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { isIdentity } from "../domain/sshsig";
import { fingerprintFault, type NamedKey, withAgentValue } from "./export-signer";
import { typedIdentity } from "./typed-identity";

export const SIGNER_HELP = `signer: which keys a workspace's approvals are signed with

  signer WORKSPACE list [--json]
  signer WORKSPACE register [--key FILE | --agent [FINGERPRINT]] [--reason TEXT] [--identity NAME] [--json]
  signer WORKSPACE replace  [--key FILE | --agent [FINGERPRINT]]  --reason TEXT  [--identity NAME] [--json]

  list      every key that the journal knows, the newest, which signs now, last
  register  the first key; from then on no approval is given without its signature
  replace   another one in its place, by you and with a reason. What the old one signed stays verifiable

  --key FILE             an Ed25519 key as ssh-keygen makes it, without a passphrase (PEM and 32 bytes too). Only its public
                         side is kept. Otherwise signer.key in a sandbox workspace, which is made where there is none
  --agent [FINGERPRINT]  a key of the ssh-agent (SSH_AUTH_SOCK), also one of hardware
  --reason TEXT          kept in the journal
  --identity NAME        under which name, as in a file of allowed signers
  --json                 one JSON object on standard output

The journal is written: close the app first. Exit 0 only when it was done.
`;

export interface SignerOptions extends NamedKey {
  dir: string;
  act: "list" | "register" | "replace";
  reason: string;
  json: boolean;
}

const ACTS = ["list", "register", "replace"] as const;
const FLAGS = {
  key: { type: "string" },
  agent: { type: "string" },
  reason: { type: "string" },
  identity: { type: "string" },
  json: { type: "boolean" },
  help: { type: "boolean" },
} as const;
/** As the app's own field. */
const LONGEST_REASON = 500;

/** Reads the arguments. What is wrong names the option and what it takes. */
export function parseSignerOptions(
  args: readonly string[],
): { options: SignerOptions } | { help: string } | { wrong: string } {
  try {
    const { values, positionals } = parseArgs({ args: withAgentValue(args), options: FLAGS, allowPositionals: true });
    if (values.help) return { help: SIGNER_HELP };
    const [workspace, named, ...more] = positionals;
    const act = ACTS.find((name) => name === named);
    if (workspace === undefined || act === undefined || more.length > 0)
      return { wrong: `name a workspace's folder and one of ${ACTS.join(", ")}: signer WORKSPACE list` };
    const dir = resolve(workspace);
    if (!existsSync(join(dir, "journal.db"))) return { wrong: `${dir} has no journal.db: this is no workspace` };
    const { key = null, agent = null, reason = "" } = values;
    const identity = typedIdentity(values.identity);
    const fault = keyFault(act, { key, agent, identity }) ?? reasonFault(act, reason.trim());
    if (fault !== null) return { wrong: fault };
    return { options: { dir, act, key, agent, identity, reason: reason.trim(), json: values.json === true } };
  } catch (error) {
    return { wrong: `${error instanceof Error ? error.message : String(error)}; see signer --help` };
  }
}

function keyFault(act: SignerOptions["act"], { key, agent, identity }: NamedKey): string | null {
  if (act === "list" && (key ?? agent ?? identity) !== null) return "list takes no key; it only reads";
  if (key !== null && agent !== null) return "--agent and --key name two keys; name one";
  if (identity !== null && !isIdentity(identity))
    return "--identity takes a name without blanks, commas and quotes, such as lin@example.org";
  return fingerprintFault(agent);
}

function reasonFault(act: SignerOptions["act"], reason: string): string | null {
  if (act === "list" && reason !== "") return "list takes no --reason; it only reads";
  if (act === "replace" && reason === "")
    return '--reason takes why the key is replaced: --reason "the laptop was stolen"';
  return reason.length > LONGEST_REASON ? `--reason takes at most ${LONGEST_REASON} characters` : null;
}
