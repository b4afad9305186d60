import { codeOf } from "../problem";

/** SQLite's words for "not now": the disk, the lock, the folder. Anything else that is refused is a bug of ours. */
const UNAVAILABLE_CODES = /^SQLITE_(FULL|IOERR|BUSY|LOCKED|READONLY|CANTOPEN|NOMEM|CORRUPT|NOTADB)/;

/** Ours, not the world's: nothing was written, so nothing may leave. */
export const isUnavailable = (error: unknown): boolean => UNAVAILABLE_CODES.test(codeOf(error));
