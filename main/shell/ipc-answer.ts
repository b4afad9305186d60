import {
  type Channel,
  contract,
  type Input,
  type Output,
  type PushEvent,
  type Pushed,
  pushEvents,
} from "../../preload/contract";
import { type Report, traceOf } from "../adapters/debug-log";
import type { Handlers } from "./handlers";
import { isRendererUrl } from "./origins";

export type RefusalCode =
  /** The question did not come from our own page. */
  | "foreign_sender"
  /** The question does not have the agreed form; the fields at fault are named. */
  | "bad_input"
  /** Our own answer does not have the agreed form. */
  | "bad_reply"
  /** The handler threw: a bug of ours. */
  | "failed";

/** More names than this help nobody. */
const MAX_FIELDS = 5;

/**
 * What a page gets instead of an answer: a code and the names of fields, as `bad_input: edition`. No stack and no text of
 * the error behind it, which may quote a body or an address.
 */
export class IpcRefusal extends Error {
  override readonly name = "IpcRefusal";
  constructor(
    readonly code: RefusalCode,
    readonly fields: readonly string[] = [],
  ) {
    super(fields.length === 0 ? code : `${code}: ${fields.join(", ")}`);
    this.stack = `${this.name}: ${this.message}`;
  }
}

/** Who asks, reduced to what decides. */
export interface Sender {
  /** The web contents that sent it are those of our one window. */
  isOurWindow: boolean;
  /** The frame is the top one. Frames inside our page show hostile content. */
  isTopFrame: boolean;
  /** The frame's address now, or null when the frame is gone. */
  frameUrl: string | null;
}

/** Only the top frame of our own window, showing our own page, may ask anything. */
export const isOurs = (sender: Sender): boolean =>
  sender.isOurWindow && sender.isTopFrame && sender.frameUrl !== null && isRendererUrl(sender.frameUrl);

/** Field names only, never the values or the schema's sentences. */
function fieldsOf(issues: readonly { path: readonly PropertyKey[] }[]): string[] {
  const names = issues.map((issue) => (issue.path.length === 0 ? "input" : issue.path.map(String).join(".")));
  return [...new Set(names)].slice(0, MAX_FIELDS);
}

/**
 * Answers one question: parses it, asks the handler, parses the answer. The parsed answer is what leaves, so a field that
 * the contract does not name never reaches the page.
 * @throws IpcRefusal and nothing else.
 */
export async function answer<C extends Channel>(
  channel: C,
  raw: unknown,
  options: { handlers: Promise<Handlers>; report: Report },
): Promise<Output<C>> {
  const { report } = options;
  const input = contract[channel].input.safeParse(raw);
  if (!input.success) {
    const fields = fieldsOf(input.error.issues);
    report({ code: "ipc_bad_input", channel, field: fields.join(", ") });
    throw new IpcRefusal("bad_input", fields);
  }
  let reply: unknown;
  try {
    const handlers = await options.handlers;
    // The schema of this very channel has just accepted it; the compiler cannot follow a union of schemas that far.
    reply = await handlers[channel](input.data as Input<C>);
  } catch (error) {
    report({ code: "ipc_failed", channel, error: traceOf(error) });
    throw new IpcRefusal("failed");
  }
  const output = contract[channel].output.safeParse(reply);
  if (!output.success) {
    report({ code: "ipc_bad_reply", channel, field: fieldsOf(output.error.issues).join(", ") });
    throw new IpcRefusal("bad_reply");
  }
  return output.data as Output<C>;
}

/** A push value as it may leave, or null when it does not have the agreed form (a bug, reported). */
export function pushable<E extends PushEvent>(event: E, value: Pushed<E>, report: Report): Pushed<E> | null {
  const parsed = pushEvents[event].safeParse(value);
  if (parsed.success) return parsed.data as Pushed<E>;
  report({ code: "push_bad_value", channel: event, field: fieldsOf(parsed.error.issues).join(", ") });
  return null;
}
