import { readSnapshot } from "../../../db/queries/snapshot";
import type { Input, Output } from "../../../preload/contract";
import type { TaskId } from "../../domain/ids";
import type { Extractions } from "./extractions";
import type { SourceOrigin } from "./frozen";
import type { ViewPorts } from "./view-ports";

/**
 * The text of one frozen source of a task, derived again from its bytes.
 * @returns null for a hash that is no source snapshot of this task, and where the bytes had to go.
 */
export async function snapshotView(
  ports: ViewPorts,
  extractions: Extractions,
  asked: Input<"contentReview.snapshot">,
): Promise<Output<"contentReview.snapshot">> {
  const row = readSnapshot(ports.queries, asked.taskId as TaskId, asked.hash);
  if (row === null) return null;
  const origin = JSON.parse(row.origin) as SourceOrigin;
  const extracted = await extractions.of(asked.hash, origin);
  if (extracted === null) return null;
  const { title: sourceTitle, url, finalUrl, fetchedAt, licence } = origin;
  const { text, encoding } = extracted;
  return { hash: asked.hash, text, encoding, bytes: row.bytes, sourceTitle, url, finalUrl, fetchedAt, licence };
}
