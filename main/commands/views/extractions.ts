import type { ExtractedSource, SourceFormat } from "../../domain/ports";
import type { SourceOrigin } from "./frozen";
import type { ViewPorts } from "./view-ports";

/** Two editions' worth of sources. Frozen bytes never change, so a text once derived stays right. */
const KEPT = 24;

/** The texts of frozen sources, derived from their bytes and kept for a while: deriving one may take longer than a frame. */
export class Extractions {
  private readonly kept = new Map<string, ExtractedSource | null>();

  constructor(private readonly ports: Pick<ViewPorts, "blobs" | "extract">) {}

  /**
   * @returns the text, or null where the bytes had to go by their licence or no longer give one.
   * @throws BlobDamaged when the bytes are there and are not those bytes any more.
   */
  async of(hash: string, origin: SourceOrigin): Promise<ExtractedSource | null> {
    const { contentType, finalUrl, format } = origin;
    // The same bytes under another address or type may be laid out differently.
    const key = [hash, contentType, finalUrl, format].join("\n");
    const known = this.kept.get(key);
    if (known !== undefined) return known;
    const source = await this.derive(hash, origin);
    const [oldest] = this.kept.keys();
    if (oldest !== undefined && this.kept.size >= KEPT) this.kept.delete(oldest);
    this.kept.set(key, source);
    return source;
  }

  private async derive(hash: string, origin: SourceOrigin): Promise<ExtractedSource | null> {
    const { blobs, extract } = this.ports;
    const address = hash as Parameters<typeof blobs.get>[0];
    if (!blobs.has(address)) return null;
    const { contentType, finalUrl } = origin;
    const format = origin.format as SourceFormat;
    const extraction = await extract({ bytes: blobs.get(address), contentType, finalUrl, format });
    return extraction.kind === "extracted" ? extraction.source : null;
  }
}
