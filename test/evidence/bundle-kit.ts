import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sha256 } from "../../main/domain/hashing";
import { EVIDENCE_NAMESPACE, signSsh } from "../../main/domain/sshsig";
import { BAG, TAG_FILES } from "../../main/evidence/bag-layout";
import { manifestLine } from "../../main/evidence/manifest";
import { keyOfSeed } from "../../main/evidence/signing-key";
import { type BundleVerdict, type VerifyOptions, verifyBundle } from "../../main/evidence/verify-bundle";
import { ZipArchive } from "../../main/evidence/zip-reader";
import { ZipWriter } from "../../main/evidence/zip-writer";
import { demo } from "../../main/headless/demo";
import { exportCommand } from "../../main/headless/export-command";
import { SAMPLES } from "../scenarios/frozen";

export const freshDir = (): string => mkdtempSync(join(tmpdir(), "imprimatur-evidence-"));

/** What a command said, and its exit code. */
export interface Said {
  code: number;
  out: string;
  err: string;
}

type Command = (
  args: readonly string[],
  streams: { out(text: string): void; err(text: string): void },
) => Promise<number>;

export async function run(command: Command, ...args: string[]): Promise<Said> {
  const said = { out: "", err: "" };
  const code = await command(args, {
    out: (text) => {
      said.out += text;
    },
    err: (text) => {
      said.err += text;
    },
  });
  return { code, ...said };
}

/**
 * A workspace with whole editions in it, run by the real engine against real servers, both answers lost on the way. No key is
 * registered in it: what is said of each fault is said of that fault alone.
 */
export async function workspaceWith(...editions: string[]): Promise<string> {
  const dir = freshDir();
  for (const edition of editions) await addEdition(dir, edition, "--unsigned");
  return dir;
}

/** One more edition in a workspace that is there. */
export async function addEdition(dir: string, edition: string, ...options: string[]): Promise<void> {
  const args = ["--edition", edition, "--workspace", dir, ...options];
  const said = await run((given, streams) => demo(given, SAMPLES, streams), ...args);
  if (said.code !== 0) throw new Error(`the demo failed: ${said.out} ${said.err}`);
}

export interface Made {
  path: string;
  /** The line for a file of allowed signers. */
  allowed: string;
  seed: Buffer;
  json: { folder: string; tasks: string[]; events: number; head: string; withheld: Record<string, number> };
}

export async function exported(workspace: string, ...args: string[]): Promise<Made> {
  const path = join(freshDir(), "bundle.zip");
  const said = await run(exportCommand, workspace, "--out", path, "--json", ...args);
  if (said.code !== 0) throw new Error(said.err);
  const json = JSON.parse(said.out);
  return { path, allowed: json.signer.allowedSigners, seed: readFileSync(join(workspace, "signer.key")), json };
}

export interface Entry {
  name: string;
  bytes: Buffer;
  mode?: number;
}

/** Every entry of an archive, its bag's folder left out of the names. */
export async function unpacked(path: string): Promise<Entry[]> {
  const archive = await ZipArchive.open(path);
  const entries: Entry[] = [];
  for (const entry of archive.entries)
    entries.push({ name: entry.name.replace(/^[^/]*\//, ""), bytes: await archive.readWhole(entry, 1e9) });
  await archive.close();
  return entries;
}

/** Packs entries as they are named, good names or not. */
export async function packed(entries: readonly Entry[], folder = "2026-W30.evidence/"): Promise<string> {
  const pieces: Uint8Array[] = [];
  const zip = new ZipWriter({ write: async (bytes) => void pieces.push(Buffer.from(bytes)) }, 0);
  for (const { name, bytes, mode } of entries) await zip.add(folder + name, bytes, mode);
  await zip.finish();
  const path = join(freshDir(), "bundle.zip");
  writeFileSync(path, Buffer.concat(pieces));
  return path;
}

export const text = (entries: readonly Entry[], name: string): string =>
  entries.find((entry) => entry.name === name)?.bytes.toString("utf8") ?? "";

/** The same entries with one changed, or added at the end. */
export function withEntry(entries: readonly Entry[], name: string, change: (before: string) => string): Entry[] {
  const changed = { name, bytes: Buffer.from(change(text(entries, name))) };
  return entries.some((entry) => entry.name === name)
    ? entries.map((entry) => (entry.name === name ? changed : entry))
    : [...entries, changed];
}

/** What somebody who knows the format would do after changing something: every manifest and count made anew. */
export function recomputed(entries: readonly Entry[]): Entry[] {
  const payload = entries.filter(({ name }) => name.startsWith("data/"));
  const oxum = `Payload-Oxum: ${payload.reduce((sum, { bytes }) => sum + bytes.length, 0)}.${payload.length}`;
  const counted = withEntry(entries, BAG.info, (info) => info.replace(/Payload-Oxum: .*/, oxum));
  const lines = payload.map(({ name, bytes }) => manifestLine(sha256(bytes), name)).join("");
  const listed = withEntry(counted, BAG.manifest, () => lines);
  const tags = TAG_FILES.map((name) => manifestLine(sha256(text(listed, name)), name)).join("");
  return withEntry(listed, BAG.tagManifest, () => tags);
}

/** Signed again, with any key and for any purpose. */
export const resigned = (entries: readonly Entry[], seed: Uint8Array, namespace = EVIDENCE_NAMESPACE): Entry[] => {
  const message = Buffer.from(text(entries, BAG.tagManifest));
  return withEntry(entries, BAG.signature, () => signSsh(message, namespace, keyOfSeed(seed)));
};

export const verdictOn = (path: string, options: Partial<VerifyOptions> = {}): Promise<BundleVerdict> =>
  verifyBundle(path, { signers: null, identity: null, ...options });

/** Which checks failed of themselves, and not because they were never made. */
export const failed = ({ checks }: BundleVerdict): string[] =>
  checks
    .filter(({ ok, detail }) => !ok && !detail.startsWith("not looked at"))
    .map(({ name, detail }) => `${name}: ${detail}`);
