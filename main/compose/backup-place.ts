import type { BackupPlace } from "./backup-desk";
import type { OpenSandbox } from "./open-sandbox";

/** The open workspace as its backups need it; null: none is open. */
export function backupPlace(sandbox: OpenSandbox | undefined): BackupPlace | null {
  if (sandbox === undefined) return null;
  const { workspace, clock } = sandbox;
  const isIdle = () => workspace.executor.callsInFlight.size === 0;
  return { id: workspace.database.workspaceId, dir: workspace.dir, now: () => clock.now(), isIdle };
}
