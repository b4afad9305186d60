import { describe, expect, test } from "vitest";
import { reconcileCommand } from "../../main/headless/reconcile-command";
import { samplesDir, temporaryDir } from "../sandbox/world";
import { listen } from "../support/listener";

async function called(args: readonly string[]) {
  const { streams, out, err } = listen();
  const code = await reconcileCommand(args, samplesDir, streams);
  return { code, out: out(), err: err() };
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
