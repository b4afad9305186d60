/** A program of its own beside ours, that is sent messages and tells something. What it tells is not trusted. */
export interface ChildProgram {
  send(message: unknown): void;
  onMessage(listener: (message: unknown) => void): void;
  /** Called once, however it ended. Null: the system does not say with which code. */
  onEnd(listener: (code: number | null) => void): void;
  /** Ends it at once. Harmless when it has ended. */
  end(): void;
}

/** Starts the program in this file. */
export type StartChild = (file: string) => ChildProgram;
