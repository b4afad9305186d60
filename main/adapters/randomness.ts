import { randomBytes } from "node:crypto";
import { Bug } from "../domain/ids";
import type { Randomness } from "../domain/ports";

/** The bits a double can hold exactly. */
const FRACTION_BITS = 53;

/** Unpredictable randomness from the operating system. */
export function createRandomness(): Randomness {
  return {
    next: () => Number(randomBytes(8).readBigUInt64BE() >> BigInt(64 - FRACTION_BITS)) / 2 ** FRACTION_BITS,
    bytes: (count) => new Uint8Array(randomBytes(count)),
  };
}

/**
 * The same numbers for the same seed, on every machine: a failure found by simulation is found again by its seed. Never
 * for ids or keys. The generator is a 32-bit counter run through two multiply-and-shift rounds (splitmix32).
 */
export function createSeededRandomness(seed: number): Randomness {
  if (!Number.isSafeInteger(seed)) throw new Bug("a seed must be a whole number");
  let state = (seed ^ Math.floor(seed / 2 ** 32)) >>> 0;
  const word = (): number => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return (mixed ^ (mixed >>> 15)) >>> 0;
  };
  return {
    next: () => word() / 2 ** 32,
    bytes: (count) => Uint8Array.from({ length: count }, () => word() >>> 24),
  };
}
