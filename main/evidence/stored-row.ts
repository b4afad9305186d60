import { MOMENT } from "./moments";

export type Fields = Readonly<Record<string, unknown>>;

/** Bytes as a JSON object; null where they are none. */
export function parseFields(bytes: Buffer): Fields | null {
  try {
    const value: unknown = JSON.parse(bytes.toString("utf8"));
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Whether an error says that signed records are none of ours: a field that is missing, or a moment that is none. */
export const isFormFault = (error: unknown): boolean =>
  error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError;

/** A record as the row that it was written from: the reverse of `readable`. What is no moment stays as it is. */
export function storedRow(fields: Fields): Fields {
  const back = (key: string, value: unknown): unknown => {
    if (typeof value !== "string" || !MOMENT.test(key)) return value;
    const at = Date.parse(value);
    return Number.isNaN(at) ? value : at;
  };
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, back(key, value)]));
}
