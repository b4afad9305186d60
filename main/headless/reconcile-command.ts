import { join } from "node:path";
import { noCrashPoints } from "../adapters/crash-points";
import { reconcile } from "../commands/reconcile";
import { editorName } from "../compose/editor-name";
import type { Instant } from "../domain/ids";
import type { ReconciliationResult } from "../domain/reconciliation-result";
import { SandboxInUse } from "../sandbox/address";
import { startSandbox } from "../sandbox/start-sandbox";
import { readWorkspaceArguments } from "./find-workspace";
import { openSession } from "./session";
import type { Streams } from "./streams";

const HELP = `reconcile: holds a workspace's journal against its website, its mail provider and itself

  reconcile WORKSPACE [--json]

Asks about everything that went out in the last eight days of the workspace's clock. Nothing is written outside; what differs is
a recovery item in the workspace, and two objects in one place an open incident. A sandbox workspace's own remotes are started
where nobody runs them. Exit 0 only when everything was asked and nothing differs.
`;

/** Any edition is later: the session's clock goes on where the workspace's own stands. */
const BEFORE_ALL = "1971-W01";

/** `reconcile WORKSPACE [--json]`: the T+1 reconciliation at once, by whoever calls it. */
export async function reconcileCommand(args: readonly string[], samplesDir: string, streams: Streams): Promise<number> {
  const asked = readWorkspaceArguments("reconcile", args);
  if ("help" in asked) {
    streams.out(HELP);
    return 0;
  }
  if ("wrong" in asked) {
    streams.err(`reconcile: ${asked.wrong}\n`);
    return 2;
  }
  const result = await reconcileFolder(asked.dir, samplesDir);
  const ok = result.differences === 0 && result.putOff === 0 && (result.brokenPromises ?? 0) === 0;
  streams.out(asked.json ? `${JSON.stringify({ ok, ...result })}\n` : inWords(result));
  return ok ? 0 : 1;
}

async function reconcileFolder(dir: string, samplesDir: string): Promise<ReconciliationResult> {
  // The workspace's own time, as soon as it is known: a remote goes by the latest that it was told.
  let now = (): Instant => 0;
  const remote = await startRemote(dir, samplesDir, () => now());
  try {
    const session = openSession({
      ...{ dir, remoteUrl: remote.url, sourcesUrl: null, edition: BEFORE_ALL, crash: noCrashPoints },
    });
    now = () => session.clock.now();
    try {
      return await reconcile({ actor: editorName() }, session.workspace.reconciliation);
    } finally {
      session.close();
    }
  } finally {
    await remote.close();
  }
}

async function startRemote(
  dir: string,
  samplesDir: string,
  now: () => Instant,
): Promise<{ url: string; close(): Promise<void> }> {
  try {
    return await startSandbox({ dir: join(dir, "remote"), samplesDir, now });
  } catch (error) {
    // The app has them running: the same remotes, not a second set.
    if (error instanceof SandboxInUse) return { url: error.url, close: async () => undefined };
    throw error;
  }
}

function inWords({ tasks, checked, differences, putOff, unreachable, brokenPromises }: ReconciliationResult): string {
  const own = brokenPromises === null ? "not checked" : `${brokenPromises} broken promises`;
  const silent = putOff === 0 ? "" : `, ${putOff} to be asked again (no answer from ${unreachable.join(", ") || "—"})`;
  return `${tasks} editions, ${checked} effects checked, ${differences} differences${silent}; the journal itself: ${own}\n`;
}
