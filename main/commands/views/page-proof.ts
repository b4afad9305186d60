import type { PageProofRow } from "../../../db/queries/send-review";
import type { Output } from "../../../preload/contract";
import type { Sha256 } from "../../domain/ids";
import type { TaskView } from "../../domain/view";
import { type FrozenPackage, readFrozenText } from "./frozen";
import type { ComparedPage, ViewPorts } from "./view-ports";

type Proof = NonNullable<Output<"sendReview.get">>["proof"];

/** One comparison of two frozen pages gives the same answer for ever; the last few are kept. */
const KEPT = 8;

/** The proof of the public page, held against the approved one again: from the captured bytes, not from a memory of them. */
export class PageProofs {
  private readonly kept = new Map<string, ComparedPage>();

  constructor(private readonly ports: Pick<ViewPorts, "blobs" | "comparePage">) {}

  /** @returns null as long as no public page was captured as proved. */
  of(view: TaskView, pack: FrozenPackage, row: PageProofRow | null): Proof | null {
    const { captureHash, pageUrl, verifiedContentHash, contentHash, probeAttempts } = view.task.context;
    if (row === null || typeof captureHash !== "string" || typeof pageUrl !== "string") return null;
    const capture = view.artifacts("page-capture").find((artifact) => artifact.hash === captureHash);
    const payload = JSON.parse(row.payload ?? "{}") as { attempt?: number };
    const proved = {
      fetchedAt: row.at,
      captureHash,
      attempts: payload.attempt ?? Number(probeAttempts ?? 0),
    };
    const expected = pack.document.links.length;
    // Bytes that had to go prove nothing any more, and a proof of other content never did.
    if (!capture || !this.ports.blobs.has(captureHash as Sha256) || verifiedContentHash !== contentHash)
      return { ...proved, hashEqual: false, titleEqual: false, links: { expected, missing: [...pack.document.links] } };
    const { matches, titleEqual, missingLinks } = this.compare(pack.pageHash, captureHash, capture.mediaType, pageUrl);
    return { ...proved, hashEqual: matches, titleEqual, links: { expected, missing: [...missingLinks] } };
  }

  private compare(pageHash: string, captureHash: string, contentType: string, pageUrl: string): ComparedPage {
    const key = [pageHash, captureHash, contentType, pageUrl].join("\n");
    const known = this.kept.get(key);
    if (known) return known;
    const { blobs, comparePage } = this.ports;
    const expectedHtml = readFrozenText(blobs, pageHash);
    const found = comparePage({ expectedHtml, publicBytes: blobs.get(captureHash as Sha256), contentType, pageUrl });
    const [oldest] = this.kept.keys();
    if (oldest !== undefined && this.kept.size >= KEPT) this.kept.delete(oldest);
    this.kept.set(key, found);
    return found;
  }
}
