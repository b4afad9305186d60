/** A line of a journal is some hundred bytes; one without an end is no journal, and is not gathered for ever. */
const MAX_LINE_BYTES = 16 * 1024 * 1024;

/** Cuts bytes that come in pieces into lines. */
export class LineSplitter {
  private rest: Uint8Array[] = [];
  private restBytes = 0;
  /** The last line had no end, or one was too long to be one. */
  isTorn = false;

  constructor(private readonly take: (line: string) => void) {}

  push(piece: Uint8Array): void {
    let from = 0;
    for (let end = piece.indexOf(10); end >= 0; end = piece.indexOf(10, from)) {
      this.rest.push(piece.subarray(from, end));
      this.take(Buffer.concat(this.rest).toString("utf8"));
      this.rest = [];
      this.restBytes = 0;
      from = end + 1;
    }
    if (from === piece.length || this.isTorn) return;
    this.rest.push(Buffer.from(piece.subarray(from)));
    this.restBytes += piece.length - from;
    if (this.restBytes > MAX_LINE_BYTES) this.end();
  }

  end(): void {
    this.isTorn ||= this.restBytes > 0;
    this.rest = [];
    this.restBytes = 0;
  }
}
