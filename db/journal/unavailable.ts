import { codeOf } from "../problem";

/** SQLite's words for "not now": the disk, the lock, the folder. Anything else that is refused is a bug of ours. */
const UNAVAILABLE_CODES = /^SQLITE_(FULL|IOERR|BUSY|LOCKED|READONLY|CANTOPEN|NOMEM|CORRUPT|NOTADB)/;

/** Held by somebody for the moment: over by itself, as a full disk or a damaged file are not. */
const PASSING_CODES = /^SQLITE_(BUSY|LOCKED)/;

export const isPassing = (error: unknown): boolean => PASSING_CODES.test(codeOf(error));

/** Ours, not the world's: nothing was written, so nothing may leave. */
export const isUnavailable = (error: unknown): boolean => UNAVAILABLE_CODES.test(codeOf(error));
