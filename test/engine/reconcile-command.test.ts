import { describe, expect, test } from "vitest";
import { reconcileCommand } from "../../main/headless/reconcile-command";
import { samplesDir, temporaryDir } from "../sandbox/world";

async function called(args: readonly string[]) {
  const out: string[] = [];
  const err: string[] = [];
  const streams = { out: (text: string) => void out.push(text), err: (text: string) => void err.push(text) };
  const code = await reconcileCommand(args, samplesDir, streams);
  return { code, out: out.join(""), err: err.join("") };
}

describe("reconcile, called wrongly", () => {
  test("names what is wrong and what to do, and touches nothing", async () => {
    const dir = temporaryDir();
    expect(await called([])).toMatchObject({ code: 2, err: expect.stringContaining("name one workspace's folder") });
    expect(await called([dir])).toMatchObject({
      code: 2,
      err: `reconcile: ${dir} has no journal.db: this is no workspace\n`,
    });
    expect(await called([dir, "--jsn"])).toMatchObject({ code: 2, err: expect.stringContaining("--jsn") });
    expect((await called([dir, dir])).code).toBe(2);
  });

  test("says what it does when asked", async () => {
    expect(await called(["--help"])).toMatchObject({
      code: 0,
      out: expect.stringContaining("Nothing is written outside"),
    });
  });
});
