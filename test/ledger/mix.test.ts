import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { ledger } from "../../main/headless/ledger";
import { drawMix } from "../../main/headless/ledger-draw";
import { parseLedgerOptions } from "../../main/headless/ledger-options";
import { DEFAULT_MIX } from "../../main/sandbox/ledger/default-mix";
import { parseMix } from "../../main/sandbox/ledger/mix";
import { listen } from "../support/listener";

const dir = mkdtempSync(join(tmpdir(), "ledger-mix-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

function fileOf(text: string): string {
  const path = join(dir, "mix.json");
  writeFileSync(path, text);
  return path;
}

/** What the command answers to a file; a file that is wrong must be refused before anything runs. */
async function refused(text: string): Promise<string> {
  const { streams, out, err } = listen();
  const code = await ledger(["--json", "--mix", fileOf(text)], join(dir, "no-samples-needed"), streams);
  expect({ code, out: out() }).toEqual({ code: 2, out: "" });
  return err();
}

test("what is left out goes well", () => {
  expect(parseMix({})).toEqual({
    mix: {
      ...{ editions: 30, sources: [], repairs: [], inventedQuotes: [], lostAnswers: [], compensations: [] },
      minutes: { content: [7], send: [3] },
    },
  });
});

test("the reference mix and every drawn one are valid", () => {
  for (const mix of [DEFAULT_MIX, ...Array.from({ length: 200 }, (_, seed) => drawMix(seed))])
    expect(parseMix(mix)).toHaveProperty("mix");
});

test("a seed draws the same mix every time, and another seed another", () => {
  expect(drawMix(7)).toEqual(drawMix(7));
  expect(drawMix(7)).not.toEqual(drawMix(8));
});

describe("a mix that is wrong names the field and what it takes", () => {
  test.each([
    ["[]", "the mix must be a JSON object"],
    ["{", "is not JSON"],
    ['{"edition": 3}', "the mix has no field edition; take it out or correct its name"],
    ['{"editions": 0}', "editions takes a whole number from 1 to 53"],
    ['{"editions": "ten"}', "editions takes a whole number from 1 to 53"],
    ['{"repairs": 3}', "repairs takes a list of weeks"],
    ['{"repairs": [2.5]}', "repairs[0] takes a whole number from 1 to 53"],
    ['{"editions": 4, "repairs": [5]}', "repairs[0] is 5, but editions is 4: use a week from 1 to 4"],
    [
      '{"sources": [{"week": 1, "source": "daily-news", "error": "dns"}]}',
      "sources[0].source takes a sample source, one of: orbit",
    ],
    [
      '{"sources": [{"week": 1, "source": "cahiers", "error": "http_500"}]}',
      "sources[0].error takes what the first reads end with, one of: dns",
    ],
    [
      '{"sources": [{"week": 1, "source": "cahiers", "error": "dns", "times": 4}]}',
      "sources[0].times takes a whole number from 1 to 3",
    ],
    ['{"sources": [{"week": 1, "source": "cahiers", "error": "dns", "time": 1}]}', "sources[0] has no field time"],
    ['{"sources": [{"source": "cahiers", "error": "dns"}]}', "sources[0].week takes a whole number from 1 to 53"],
    [
      '{"sources": [{"week": 1, "source": "cahiers", "error": "timeout"}, {"week": 1, "source": "cahiers", "error": "timeout"}]}',
      "sources names cahiers in week 1 twice",
    ],
    [
      '{"sources": [{"week": 1, "source": "cahiers", "error": "dns"}, {"week": 1, "source": "zhinengti", "error": "dns"}]}',
      "sources has two dns errors in week 1",
    ],
    ['{"repairs": [2], "inventedQuotes": [2]}', "repairs and inventedQuotes name week 2 twice"],
    [
      '{"lostAnswers": [{"week": 1, "of": "probe"}]}',
      "lostAnswers[0].of takes whose answer is lost, one of: publish, send",
    ],
    [
      '{"lostAnswers": [{"week": 1, "of": "send"}, {"week": 1, "of": "send"}]}',
      "lostAnswers names send in week 1 twice",
    ],
    ['{"minutes": {"content": []}}', "minutes.content takes at least one number of minutes"],
    ['{"minutes": {"content": [500]}}', "minutes.content[0] takes a whole number from 0 to 120"],
  ])("%s", async (text, words) => {
    expect(await refused(text)).toContain(words);
  });
});

describe("options", () => {
  test.each([
    [["--seed", "1", "--mix", "x.json"], "give one of the two"],
    [["--seed", "x"], "--seed takes a whole number"],
    [["--seed"], "--seed"],
    [["--mix", "/no/such/file.json"], "cannot be read"],
    [["--editions", "3"], "--editions"],
    [["--workspace", ""], "--workspace takes a folder"],
  ])("%j is refused", (args, words) => {
    const parsed = parseLedgerOptions(args);
    expect("wrong" in parsed ? parsed.wrong : parsed).toContain(words);
  });

  test("the mix can be shown and given back", async () => {
    const { streams, out } = listen();
    expect(await ledger(["--show-mix", "--seed", "5"], dir, streams)).toBe(0);
    expect(parseLedgerOptions(["--mix", fileOf(out())])).toMatchObject({ options: { mix: JSON.parse(out()) } });
  });
});
