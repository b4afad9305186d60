import type { FileHandle } from "node:fs/promises";

/** Read from the disk at once: smaller reads cost more than the hashing. */
export const READ_BYTES = 1024 * 1024;
/** One is worked on, one is being read, and one is left to whoever passes pieces on before it is done with them. */
const BUFFERS = 3;

/**
 * A part of a file piece by piece; the next one is being read while the one before is worked on. The buffers are filled in
 * turns, since new ones for every piece take longer than the hashing: a piece is the caller's until it asks for the next but
 * one, and is copied where it is to be kept.
 * @param count at most so many bytes; fewer come where the file ends before
 */
export async function* readAhead(file: FileHandle, from: number, count: number): AsyncGenerator<Buffer> {
  const buffers: Buffer[] = [];
  const read = (turn: number, done: number) => {
    buffers[turn % BUFFERS] ??= Buffer.allocUnsafeSlow(Math.min(READ_BYTES, count));
    const buffer = buffers[turn % BUFFERS] as Buffer;
    return file.read(buffer, 0, Math.min(buffer.length, count - done), from + done);
  };
  let next = count > 0 ? read(0, 0) : null;
  let done = 0;
  for (let turn = 1; next !== null; turn += 1) {
    const { bytesRead, buffer } = await next;
    if (bytesRead === 0) return;
    done += bytesRead;
    next = done < count ? read(turn, done) : null;
    // Whoever stops asking leaves a read behind, whose failure is nobody's any more.
    next?.catch(() => undefined);
    yield buffer.subarray(0, bytesRead);
  }
}
