import type { Streams } from "../../main/headless/streams";

/** What a command wrote, to be read afterwards. */
export function listen(): { streams: Streams; out(): string; err(): string } {
  const said: { out: string[]; err: string[] } = { out: [], err: [] };
  return {
    streams: { out: (text) => void said.out.push(text), err: (text) => void said.err.push(text) },
    out: () => said.out.join(""),
    err: () => said.err.join(""),
  };
}
