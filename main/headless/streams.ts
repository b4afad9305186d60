/** Where a command writes: results here, everything else there. */
export interface Streams {
  out(text: string): void;
  err(text: string): void;
}
