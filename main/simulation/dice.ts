import { createSeededRandomness } from "../adapters/randomness";
import type { Randomness } from "../domain/ports";

/** Chance of one concern of a world. Each concern has its own, so that a drawn fault does not change what people do. */
export class Dice {
  readonly random: Randomness;

  constructor(seed: number, concern: number) {
    // Seeds that follow one another must not give worlds that resemble each other.
    this.random = createSeededRandomness(seed * 1_000_003 + concern * 7919);
  }

  /** True with probability `p`. */
  chance(p: number): boolean {
    return this.random.next() < p;
  }

  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + Math.floor(this.random.next() * (high - low + 1));
  }

  pick<T>(items: readonly [T, ...T[]]): T {
    return items[Math.floor(this.random.next() * items.length)] ?? items[0];
  }

  /** One of several things by weight. */
  weighted<T>(items: readonly (readonly [item: T, weight: number])[], otherwise: T): T {
    let left = this.random.next() * items.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [item, weight] of items) {
      left -= weight;
      if (left < 0) return item;
    }
    return otherwise;
  }

  shuffled<T>(items: readonly T[]): T[] {
    const keyed = items.map((item) => ({ item, key: this.random.next() }));
    return keyed.sort((a, b) => a.key - b.key).map(({ item }) => item);
  }
}
