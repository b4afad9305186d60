import { join } from "node:path";
import { SandboxControl, type SandboxRecords } from "../adapters/sandbox-control";
import { startSandbox } from "../sandbox/start-sandbox";
import { startSourceServer } from "../sandbox/start-source-server";
import type { DemoOptions } from "./demo-options";

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

/** Starts what this run needs on loopback, or takes the tester's own servers. They live in this process, not in a child that is killed. */
export async function startRemotes(options: DemoOptions, dir: string, samplesDir: string): Promise<Remotes> {
  const closers: (() => Promise<void>)[] = [];
  const remember = <T extends { close(): Promise<void> }>(server: T): T => {
    closers.push(() => server.close());
    return server;
  };
  const own =
    options.sandbox === null
      ? remember(await startSandbox({ dir: join(dir, "remote"), samplesDir, config: configOf(options) }))
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
    sourcesUrl = remember(await startSandbox({ dir: join(dir, "samples-server"), samplesDir })).url;
  const close = async () => {
    for (const end of closers.reverse()) await end();
  };
  return { url, sourcesUrl, control, before: await control.records(), close };
}

function configOf(options: DemoOptions) {
  const { firstPostId, firstCampaignId, staleProbes, bounces } = options;
  return { firstPostId, firstCampaignId, staleProbes, bounces };
}
