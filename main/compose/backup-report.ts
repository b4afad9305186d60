import { z } from "zod";
import { BackupRecord } from "../../preload/contract";

/** What the child program is told. */
export const BackupOrder = z.object({
  /** The workspace, which may be open. */
  dir: z.string(),
  /** The folder in which the backup's own folder is made. */
  into: z.string(),
  /** By the workspace's clock. */
  at: z.int(),
  /** How many of this workspace's backups stay; null: all. */
  keep: z.int().min(1).nullable(),
});
export type BackupOrder = z.infer<typeof BackupOrder>;

/** What the child program tells. It is a program of its own: everything is parsed on arrival. */
export const BackupReport = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("progress"),
    step: z.enum(["journal", "customers", "blobs", "verify"]),
    done: z.int().min(0),
    of: z.int().min(0),
  }),
  z.object({ kind: z.literal("ended"), result: BackupRecord }),
]);
export type BackupReport = z.infer<typeof BackupReport>;
