import { join } from "node:path";
import { createSystemClock } from "../adapters/clock";
import { httpCall } from "../adapters/http-call";
import { SandboxControl, type SandboxRecords } from "../adapters/sandbox-control";
import { joinUrl } from "../adapters/sandbox-protocol";
import { startSandbox } from "../sandbox/start-sandbox";
import { startSourceServer } from "../sandbox/start-source-server";
import type { DemoOptions } from "./demo-options";
import { startOf } from "./session";

/** The outside of a demo: the website, the mail provider and the sources, ours or a tester's. */
export interface Remotes {
  url: string;
  sourcesUrl: string | null;
  control: SandboxControl;
  /** What the remote had before, so that only this run is counted. */
  before: SandboxRecords | null;
  close(): Promise<void>;
}

/** The answer that gets lost is withheld, not cut: the worked example's create times out (domain 11). */
const LOST_ANSWER = "hang-after-commit";
/** A server on the same machine that says nothing for this long (ms) is not there. */
const REACH_LIMIT_MS = 10_000;

/** Starts what this run needs on loopback, or takes the tester's own servers. They live in this process, not in a child that is killed. */
export async function startRemotes(options: DemoOptions, dir: string, samplesDir: string): Promise<Remotes> {
  const closers: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const end of closers.reverse()) await end();
  };
  try {
    return { ...(await startAll(options, dir, samplesDir, closers)), close };
  } catch (error) {
    // A server left open would keep the process alive for ever, with nothing left to do.
    await close();
    throw error;
  }
}

async function startAll(
  options: DemoOptions,
  dir: string,
  samplesDir: string,
  closers: (() => Promise<void>)[],
): Promise<Omit<Remotes, "close">> {
  const remember = <T extends { close(): Promise<void> }>(server: T): T => {
    closers.push(() => server.close());
    return server;
  };
  // Where a request carries no time the samples are those of the edition's own week, whatever day it is today.
  const start = startOf(options.edition);
  const now = () => start;
  const own =
    options.sandbox === null
      ? remember(await startSandbox({ dir: join(dir, "remote"), samplesDir, config: configOf(options), now }))
      : null;
  const url = own?.url ?? (options.sandbox as string);
  const control = new SandboxControl(url);
  if (own !== null && options.faults) {
    await control.clearFaults();
    await control.addFault({ on: "cms.create", fault: LOST_ANSWER, times: 1 });
    await control.addFault({ on: "mail.create", fault: LOST_ANSWER, times: 1 });
  }
  let sourcesUrl: string | null = null;
  if (options.sources !== null) sourcesUrl = remember(await startSourceServer({ dir: options.sources })).url;
  else if (own === null && (await control.sources()) === null)
    sourcesUrl = remember(await startSandbox({ dir: join(dir, "samples-server"), samplesDir, now })).url;
  if (own === null) await mustAnswer(url);
  return { url, sourcesUrl, control, before: await control.records() };
}

/** A server that cannot be reached at all is a mistake of the call, said before an edition is begun. */
async function mustAnswer(url: string): Promise<void> {
  const timeout = createSystemClock({ keepsProcess: true }).timeout(REACH_LIMIT_MS);
  try {
    const answer = await httpCall({ method: "GET", url: joinUrl(url, "/cms/posts?key=none"), signal: timeout.signal });
    if (answer.kind === "failed") throw new Error(`--sandbox ${url} cannot be reached (${answer.code})`);
  } finally {
    timeout.cancel();
  }
}

function configOf(options: DemoOptions) {
  const { firstPostId, firstCampaignId, staleProbes, bounces } = options;
  return { firstPostId, firstCampaignId, staleProbes, bounces };
}
