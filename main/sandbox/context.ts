import { createHash } from "node:crypto";
import type { Exchange } from "./exchange";
import type { LinkPages } from "./link-pages";
import type { SourceFolder } from "./source-folder";
import type { Store } from "./store";

/** What every handler of the sandbox works with. */
export interface Context {
  store: Store;
  /** The address readers reach the server under, without a slash at the end. */
  base: string;
  withheld: Withheld;
  pause: Pause;
  sources: SourceFolder;
  pages: LinkPages;
}

/**
 * The requests whose answer is being held back right now. A driver that moves the clock looks here: as long as one is
 * listed, only the client's own time limit can end the call.
 */
export class Withheld {
  private readonly entries = new Map<Exchange, { on: string; since: string }>();

  hold(exchange: Exchange, on: string): void {
    this.entries.set(exchange, { on, since: new Date(exchange.at).toISOString() });
    exchange.response.once("close", () => this.entries.delete(exchange));
    if (exchange.response.destroyed) this.entries.delete(exchange);
  }

  list(): { on: string; since: string }[] {
    return [...this.entries.values()];
  }
}

/** Real waiting, for the `delay` fault. Stopped by `close`, so that no server outlives its test. */
export class Pause {
  private readonly running = new Map<NodeJS.Timeout, (finished: boolean) => void>();

  /** Resolves to false when the server was closed meanwhile: then nothing more may be written. */
  wait(ms: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.running.delete(timer);
        resolve(true);
      }, ms);
      this.running.set(timer, resolve);
    });
  }

  stop(): void {
    for (const [timer, resolve] of this.running) {
      clearTimeout(timer);
      resolve(false);
    }
    this.running.clear();
  }
}

export const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
