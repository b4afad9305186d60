import type { Output } from "../../../preload/contract";

export type UndoSeen = NonNullable<Output<"compensation.look">>["seen"];

/** A receipt of a look as the page may see it: known names only, each of its kind or absent. */
export function undoSeen(receipt: Readonly<Record<string, unknown>>): UndoSeen {
  const text = (name: string) => {
    const value = receipt[name];
    return typeof value === "string" ? value : null;
  };
  const whole = (name: string) => {
    const value = receipt[name];
    return Number.isInteger(value) ? (value as number) : null;
  };
  const hash = (name: string) => {
    const value = text(name);
    return value !== null && /^[0-9a-f]{64}$/.test(value) ? value : null;
  };
  return {
    remote: text("remote"),
    remoteId: text("remoteId"),
    revision: whole("revision"),
    contentHash: hash("contentHash"),
    expected: hash("expected"),
    httpStatus: whole("httpStatus"),
    pageUrl: text("pageUrl"),
  };
}
