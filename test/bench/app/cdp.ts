import { WebSocket } from "undici";

type Params = Readonly<Record<string, unknown>>;

interface Message {
  id?: number;
  sessionId?: string;
  method?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
  error?: { message: string };
}

/** A connection that speaks the DevTools protocol, to a page's process or to Node's own inspector. */
export class DevTools {
  private last = 0;
  private readonly waiting = new Map<number, { resolve(result: Params): void; reject(error: Error): void }>();
  private readonly listeners = new Set<(method: string, params: Params) => void>();

  private constructor(private readonly socket: WebSocket) {
    socket.addEventListener("message", (event) => this.take(JSON.parse(String(event.data)) as Message));
    socket.addEventListener("close", () => {
      for (const { reject } of this.waiting.values()) reject(new Error("the program closed its DevTools connection"));
      this.waiting.clear();
    });
  }

  static async open(url: string): Promise<DevTools> {
    const socket = new WebSocket(url);
    await new Promise<void>((resolve, reject) => {
      socket.addEventListener("open", () => resolve(), { once: true });
      socket.addEventListener("error", () => reject(new Error(`no DevTools at ${url}`)), { once: true });
    });
    return new DevTools(socket);
  }

  send(method: string, params: Params = {}, sessionId?: string): Promise<Params> {
    const id = ++this.last;
    this.socket.send(JSON.stringify({ id, method, params, ...(sessionId === undefined ? {} : { sessionId }) }));
    return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
  }

  onEvent(listener: (method: string, params: Params) => void): void {
    this.listeners.add(listener);
  }

  /** Evaluates an expression, waits where it is a promise, and gives its value back. */
  async evaluate<T>(expression: string, sessionId?: string): Promise<T> {
    const params = { expression, awaitPromise: true, returnByValue: true, includeCommandLineAPI: true };
    const answer = (await this.send("Runtime.evaluate", params, sessionId)) as {
      result?: { value?: T };
      exceptionDetails?: { text: string; exception?: { description?: string } };
    };
    const { exceptionDetails } = answer;
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return answer.result?.value as T;
  }

  close(): void {
    this.socket.close();
  }

  private take(message: Message): void {
    if (message.id === undefined) {
      for (const listener of this.listeners) listener(message.method ?? "", message.params ?? {});
      return;
    }
    const waiting = this.waiting.get(message.id);
    this.waiting.delete(message.id);
    if (message.error) waiting?.reject(new Error(message.error.message));
    else waiting?.resolve(message.result ?? {});
  }
}
