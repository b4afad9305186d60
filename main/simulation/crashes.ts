import { Crash } from "./crash";
import type { Dice } from "./dice";
import type { Process } from "./process";

/** The points at which processes of a world die, chosen by its seed: any commit and any call, before and after. */
export class Crashes {
  happened = 0;
  private points = 0;
  private ahead: number[] = [];

  constructor(
    private readonly dice: Dice,
    private readonly onDeath: (process: Process, point: string) => void,
  ) {}

  /** The first comes within an edition's reading and publishing, for certain; more of them by chance. */
  plan(): void {
    const first = this.points + this.dice.between(1, 110);
    const more = Array.from({ length: this.dice.between(0, 3) }, () => first + this.dice.between(1, 200));
    this.ahead = [...new Set([first, ...more])].sort((a, b) => a - b);
  }

  end(): void {
    this.ahead = [];
  }

  /** @throws Crash where the process is dead, or dies now. */
  reached(process: Process, point: string): void {
    const { life } = process;
    if (life.state === "killed") throw new Crash("a killed process goes nowhere");
    this.points += 1;
    if (this.points < (this.ahead[0] ?? Number.POSITIVE_INFINITY) || life.state !== "running") return;
    this.ahead.shift();
    this.happened += 1;
    life.state = this.dice.chance(0.6) ? "killed" : "zombie";
    this.onDeath(process, point);
    throw new Crash(`crash at ${point}`);
  }
}
