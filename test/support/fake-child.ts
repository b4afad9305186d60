import type { ChildProgram } from "../../main/compose/child-program";

/** A child program's part without a process: keeps what it was told, and ends when it is told to. */
export class FakeChild implements ChildProgram {
  orders: unknown[] = [];
  isEnded = false;
  tell: (message: unknown) => void = () => undefined;
  private readonly endings: ((code: number | null) => void)[] = [];
  send(message: unknown): void {
    this.orders.push(message);
  }
  onMessage(listener: (message: unknown) => void): void {
    this.tell = listener;
  }
  onEnd(listener: (code: number | null) => void): void {
    this.endings.push(listener);
  }
  end(): void {
    if (!this.isEnded) this.die(0);
  }
  die(code: number): void {
    this.isEnded = true;
    for (const ended of this.endings) ended(code);
  }
}
