import { createHash } from "node:crypto";
import { sha256 } from "../domain/hashing";
import { EVIDENCE_NAMESPACE, verifySsh } from "../domain/sshsig";
import { type AllowedSigner, judgeSigner } from "./allowed-signers";
import { BAG, BAG_DECLARATION, EVIDENCE_FORMAT, TAG_FILES } from "./bag-layout";
import { nameFaults } from "./entry-names";
import { readInfo, readManifest } from "./manifest";
import type { PayloadFile } from "./payload-reader";
import { readTimestamp } from "./timestamp";
import { verifyPayload } from "./verify-payload";
import { type BundleCheck, VerifyRun } from "./verify-run";
import { verifyFileList, verifyTags } from "./verify-tags";
import type { ZipEntry } from "./zip-directory";
import { ZipFault } from "./zip-fault";
import { ZipArchive } from "./zip-reader";

export interface BundleVerdict {
  valid: boolean;
  checks: readonly BundleCheck[];
  /** Null where no good signature was found. `trusted`: by a file of allowed signers; null where none was given. */
  signer: { identity: string; fingerprint: string; trusted: boolean | null } | null;
  /** As the journal's lines have them; null where it was not read. */
  events: number | null;
  head: string | null;
  /** What the bundle calls itself, and its own name: SHA-256 of the tag manifest. */
  label: string | null;
  bag: string | null;
}

export interface VerifyOptions {
  /** From elsewhere than the bundle; null: whose key it is stays open. */
  signers: readonly AllowedSigner[] | null;
  /** Who is to have signed; null: whoever the bundle says. */
  identity: string | null;
}

/** A manifest of some hundred thousand files. More is held in memory for nobody. */
const MAX_TAG_BYTES = 64 * 1024 * 1024;
/** A time stamp with its certificates is some kilobytes. */
const MAX_STAMP_BYTES = 256 * 1024;
/** Deflate itself ends at a thousandth; what we write stays at a hundredth. Small files may be anything. */
const BOMB_BYTES = 16 * 1024 * 1024;
const BOMB_RATIO = 200;
/** The type bits of a Unix mode, and those of a plain file and a folder. */
const TYPE_BITS = 0o170000;
const PLAIN_TYPES = [0, 0o100000, 0o040000];

/**
 * Checks a bundle from the archive to the journal's chain. Needs no workspace and no network, writes nothing, and holds no
 * file of it in memory but the manifests. Bytes first: nothing is parsed that was not found to be what was signed for.
 */
export async function verifyBundle(path: string, options: VerifyOptions): Promise<BundleVerdict> {
  const run = new VerifyRun();
  const verdict: BundleVerdict = {
    valid: false,
    checks: [],
    signer: null,
    events: null,
    head: null,
    label: null,
    bag: null,
  };
  let archive: ZipArchive | null = null;
  try {
    archive = await ZipArchive.open(path);
    run.answer("archive", true, `${archive.entries.length} entries, ${archive.bytes} bytes`);
    await verifyArchive(archive, run, options, verdict);
  } catch (error) {
    if (!(error instanceof ZipFault)) throw error;
    run.answer("archive", false, error.message);
  } finally {
    await archive?.close();
  }
  return { ...verdict, checks: run.checks(), valid: run.isValid() };
}

async function verifyArchive(
  archive: ZipArchive,
  run: VerifyRun,
  options: VerifyOptions,
  verdict: BundleVerdict,
): Promise<void> {
  // A bundle with one name that leads elsewhere is refused whole (case L2): nothing of it is opened.
  if (!run.judge("names", entryFaults(archive.entries), "all inside the bundle's own folder")) return;
  const seal = await archive.seal();
  const words = {
    whole: "as it was written",
    repacked: "packed anew by another program",
    changed: "changed after it was written",
  };
  run.answer("container", seal !== "changed", words[seal]);
  const tags = await openBag(archive, run);
  if (tags === null) return;
  const { files, texts } = tags;
  const text = (name: string) => texts.get(name)?.toString("utf8") ?? "";
  const info = readInfo(text(BAG.info));
  verdict.label = info.values.get("External-Identifier") ?? null;
  verdict.bag = sha256(texts.get(BAG.tagManifest) ?? "");
  verdict.signer = verifySignature(run, texts, info.values, options);
  await verifyTimestamp(run, archive, tags);
  const isIntact = verifyTags(run, texts);
  const manifest = readManifest(text(BAG.manifest));
  if ("fault" in manifest) {
    run.answer("file_list", false, `${BAG.manifest}: ${manifest.fault}`);
    return;
  }
  verifyFileList(run, files, manifest.digests);
  if (!isIntact) return;
  const payload: PayloadFile[] = [];
  for (const [name, digest] of manifest.digests) {
    const entry = files.get(name);
    if (entry !== undefined) payload.push({ name, digest, entry });
  }
  Object.assign(verdict, await verifyPayload(run, archive, payload, { info: info.values, texts }));
}

/** What is wrong with the entries themselves, before any is opened. */
function entryFaults(entries: readonly ZipEntry[]): string[] {
  const faults = nameFaults(entries.map(({ name }) => name));
  for (const { name, mode, bytes, compressedBytes } of entries) {
    const shown = JSON.stringify(name.slice(0, 120));
    if (!PLAIN_TYPES.includes(mode & TYPE_BITS)) faults.push(`${shown} is a link or a device`);
    if (bytes > BOMB_BYTES && bytes > compressedBytes * BOMB_RATIO)
      faults.push(`${shown} would grow from ${compressedBytes} to ${bytes} bytes: a bomb`);
    if (name.endsWith("/") && bytes > 0) faults.push(`${shown} is a folder with contents`);
  }
  return faults;
}

interface OpenBag {
  /** Entry by its path in the bag, folders left out. */
  files: Map<string, ZipEntry>;
  texts: Map<string, Buffer>;
}

/** Finds the bag's one folder and reads its tag files; null where it is no bag that can be judged. */
async function openBag(archive: ZipArchive, run: VerifyRun): Promise<OpenBag | null> {
  const roots = new Set(archive.entries.map(({ name }) => name.slice(0, name.indexOf("/") + 1)));
  const [root] = roots;
  if (roots.size !== 1 || !root) {
    run.answer("bag", false, "not everything is in one folder");
    return null;
  }
  const plain = archive.entries.filter(({ name }) => !name.endsWith("/"));
  const files = new Map(plain.map((entry) => [entry.name.slice(root.length), entry]));
  const texts = new Map<string, Buffer>();
  const faults: string[] = [];
  for (const name of [...TAG_FILES, BAG.tagManifest, BAG.signature]) {
    const entry = files.get(name);
    if (entry === undefined) {
      faults.push(`${name} is missing`);
      continue;
    }
    try {
      texts.set(name, await archive.readWhole(entry, MAX_TAG_BYTES));
    } catch (error) {
      if (!(error instanceof ZipFault)) throw error;
      faults.push(`${name} ${error.message}`);
    }
  }
  const declaration = texts.get(BAG.declaration)?.toString("utf8");
  if (declaration !== undefined && declaration !== BAG_DECLARATION)
    faults.push(`${BAG.declaration} is not that of BagIt 1.0`);
  const info = readInfo(texts.get(BAG.info)?.toString("utf8") ?? "");
  if (info.repeated.length > 0) faults.push(`${BAG.info} says ${info.repeated.join(", ")} twice`);
  const format = info.values.get("Evidence-Format");
  if (format !== EVIDENCE_FORMAT) faults.push(`Evidence-Format is ${format ?? "missing"}, not ${EVIDENCE_FORMAT}`);
  return run.judge("bag", faults, `evidence bag ${EVIDENCE_FORMAT} in ${root}`) ? { files, texts } : null;
}

function verifySignature(
  run: VerifyRun,
  texts: ReadonlyMap<string, Buffer>,
  info: ReadonlyMap<string, string>,
  options: VerifyOptions,
): BundleVerdict["signer"] {
  const message = texts.get(BAG.tagManifest) ?? Buffer.alloc(0);
  const found = verifySsh(message, EVIDENCE_NAMESPACE, texts.get(BAG.signature)?.toString("latin1") ?? "");
  if (found.kind === "bad") {
    run.answer("signature", false, `${BAG.signature}: ${found.detail}`);
    return null;
  }
  run.answer("signature", true, `of ${BAG.tagManifest}, by the Ed25519 key ${found.fingerprint}`);
  const { fingerprint } = found;
  const named = info.get("Signer-Identity") ?? "";
  const identity = options.identity ?? named;
  const claimed = info.get("Signer-Fingerprint");
  const untrusted = (detail: string) => {
    run.answer("signer", false, detail);
    return { identity, fingerprint, trusted: false };
  };
  if (claimed !== fingerprint)
    return untrusted(`${BAG.info} names the key ${claimed ?? "—"}, but ${fingerprint} signed`);
  if (named !== identity) return untrusted(`${BAG.info} names ${named || "nobody"} as the signer, not ${identity}`);
  if (options.signers === null) {
    const open = "whose key it is; compare the fingerprint, or give a file of allowed signers";
    run.leaveOpen("signer", `${open}. By its own word: ${identity}`);
    return { identity, fingerprint, trusted: null };
  }
  const asked = { identity, namespace: EVIDENCE_NAMESPACE, publicKey: found.publicKey };
  const judged = judgeSigner(options.signers, asked);
  run.answer("signer", judged.ok, judged.detail);
  return { identity, fingerprint, trusted: judged.ok };
}

/** A time stamp is of this very signature. Who made it is for openssl to say, with a certificate from elsewhere. */
async function verifyTimestamp(run: VerifyRun, archive: ZipArchive, { files, texts }: OpenBag): Promise<void> {
  const entry = files.get(BAG.timestamp);
  if (entry === undefined) {
    run.leaveOpen("timestamp", "there is none: when it was signed is the signer's own word");
    return;
  }
  const hash = createHash("sha256").update(texts.get(BAG.signature) ?? "");
  try {
    const read = readTimestamp(await archive.readWhole(entry, MAX_STAMP_BYTES), hash.digest());
    const is = (at: string) => `of ${at} and of this signature; whose it is was not checked: openssl ts -verify`;
    run.answer(
      "timestamp",
      read.kind === "stamp",
      read.kind === "stamp" ? is(read.at) : `${BAG.timestamp}: ${read.detail}`,
    );
  } catch (error) {
    if (!(error instanceof ZipFault)) throw error;
    run.answer("timestamp", false, `${BAG.timestamp} ${error.message}`);
  }
}
