import { createHash } from "node:crypto";
import { sha256 } from "../domain/hashing";
import type { Instant } from "../domain/ids";
import { EVIDENCE_NAMESPACE } from "../domain/sshsig";
import { BAG, BAG_DECLARATION, TAG_FILES } from "./bag-layout";
import { infoLine, manifestLine } from "./manifest";
import type { Signer } from "./signing-key";
import { type ByteSink, type Chunks, ZipWriter } from "./zip-writer";

const SCRIPT_MODE = 0o100755;

/** Writes a signed BagIt folder into a ZIP, payload first; what has to be remembered is a line per file. */
export class BagWriter {
  private readonly zip: ZipWriter;
  private readonly lines: string[] = [];
  private payloadBytes = 0;

  /** @param folder the one folder that everything in the ZIP is in */
  constructor(
    sink: ByteSink,
    private readonly folder: string,
    at: Instant,
  ) {
    this.zip = new ZipWriter(sink, at);
  }

  /** Adds a payload file; `path` begins with `data/`. */
  async add(path: string, content: string | Uint8Array): Promise<void> {
    const bytes = typeof content === "string" ? Buffer.from(content, "utf8") : content;
    this.note(path, sha256(bytes), bytes.length);
    await this.zip.add(`${this.folder}/${path}`, bytes);
  }

  /** Adds a payload file of a known length piece by piece, and returns its SHA-256. */
  async addStream(path: string, totalBytes: number, chunks: Chunks): Promise<string> {
    const hash = createHash("sha256");
    await this.zip.addStream(`${this.folder}/${path}`, totalBytes, hashing(chunks, hash));
    const digest = hash.digest("hex");
    this.note(path, digest, totalBytes);
    return digest;
  }

  /**
   * Adds the tag files and the signature over the tag manifest, which covers everything, and ends the archive.
   * @param stamp is shown the signature, and gives back what is to stand beside it, if anything
   * @returns SHA-256 of the tag manifest: the bag's own name, by which a later one refers to it.
   */
  async finish(
    tags: { info: readonly (readonly [label: string, value: string])[]; readme: string; script: string },
    signer: Signer,
    stamp: (signature: Uint8Array) => Promise<Uint8Array | null>,
  ): Promise<{ tagManifestSha256: string; payloadFiles: number; payloadBytes: number }> {
    const oxum = ["Payload-Oxum", `${this.payloadBytes}.${this.lines.length}`] as const;
    const contents: Record<string, string> = {
      [BAG.declaration]: BAG_DECLARATION,
      [BAG.info]: [...tags.info, oxum].map(([label, value]) => infoLine(label, value)).join(""),
      [BAG.manifest]: this.lines.join(""),
      [BAG.readme]: tags.readme,
      [BAG.script]: tags.script,
    };
    const tagManifest = TAG_FILES.map((path) => manifestLine(sha256(contents[path] ?? ""), path)).join("");
    const signature = await signer.sign(Buffer.from(tagManifest), EVIDENCE_NAMESPACE);
    for (const [path, text] of [
      ...Object.entries(contents),
      [BAG.tagManifest, tagManifest],
      [BAG.signature, signature],
    ])
      await this.addTag(path ?? "", text ?? "");
    const stamped = await stamp(Buffer.from(signature));
    if (stamped !== null) await this.zip.add(`${this.folder}/${BAG.timestamp}`, stamped);
    await this.zip.finish();
    const { payloadBytes } = this;
    return { tagManifestSha256: sha256(tagManifest), payloadFiles: this.lines.length, payloadBytes };
  }

  private addTag(path: string, text: string): Promise<void> {
    const mode = path === BAG.script ? SCRIPT_MODE : undefined;
    return this.zip.add(`${this.folder}/${path}`, Buffer.from(text, "utf8"), mode);
  }

  private note(path: string, digest: string, bytes: number): void {
    this.lines.push(manifestLine(digest, path));
    this.payloadBytes += bytes;
  }
}

async function* hashing(chunks: Chunks, hash: { update(bytes: Uint8Array): unknown }): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    hash.update(chunk);
    yield chunk;
  }
}
