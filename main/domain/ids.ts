/** Branded identifiers: a task's id can never be passed where an operation's is asked for. */
declare const brand: unique symbol;
type Branded<T, Name extends string> = T & { readonly [brand]: Name };

export type TaskId = Branded<string, "TaskId">;
export type OperationId = Branded<string, "OperationId">;
export type ApprovalId = Branded<string, "ApprovalId">;
export type CompensationId = Branded<string, "CompensationId">;
/** Lower-case hex SHA-256 of some bytes, 64 characters. */
export type Sha256 = Branded<string, "Sha256">;
/** Milliseconds since 1970-01-01T00:00:00Z. */
export type Instant = number;

export const asTaskId = (value: string): TaskId => value as TaskId;
export const asOperationId = (value: string): OperationId => value as OperationId;
export const asApprovalId = (value: string): ApprovalId => value as ApprovalId;
export const asCompensationId = (value: string): CompensationId => value as CompensationId;

/**
 * Takes a string for a SHA-256 digest.
 * @throws Bug when it is not 64 lower-case hex characters.
 */
export function asSha256(value: string): Sha256 {
  if (!/^[0-9a-f]{64}$/.test(value)) throw new Bug(`not a SHA-256 in lower-case hex: ${value.slice(0, 80)}`);
  return value as Sha256;
}

/** A broken promise of our own code: the only thing that is ever thrown (architecture: Errors). */
export class Bug extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
  }
  override readonly name = "Bug";
}

/** Makes a forgotten case of a closed union a compile error, and a loud failure if a stored value escapes the types. */
export function assertNever(value: never, what: string): never {
  throw new Bug(`unexpected ${what}: ${JSON.stringify(value)}`);
}
