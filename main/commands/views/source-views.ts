import type { Output } from "../../../preload/contract";
import type { SourceConfig } from "../../domain/ports";
import type { TaskView } from "../../domain/view";
import type { SourceOrigin } from "./frozen";

export type SourceView = NonNullable<Output<"run.get">>["sources"][number];

/** One source in the checkpoint of `collecting`, as far as the screens show it. */
interface Progress {
  state: "waiting" | "frozen" | "failed";
  required: boolean;
  attempts: number;
  hash: string | null;
  fetchedAt: number | null;
  errorCode: string | null;
  newItems: number | null;
}

/** Where each frozen source of a task came from, by the hash of its bytes. */
export function readOrigins(view: TaskView): ReadonlyMap<string, SourceOrigin> {
  const origins = new Map<string, SourceOrigin>();
  for (const { hash, origin } of view.artifacts("source-snapshot"))
    if (origin !== null) origins.set(hash, JSON.parse(origin) as SourceOrigin);
  return origins;
}

/**
 * The sources of a task: what was frozen says itself where it came from, the rest is named as it is configured now.
 * A configured source that the collection did not know is skipped once collecting is over.
 */
export function sourceViews(
  view: TaskView,
  origins: ReadonlyMap<string, SourceOrigin>,
  configs: readonly SourceConfig[],
): SourceView[] {
  const step = view.step("collecting");
  const read = (step?.checkpoint["sources"] ?? {}) as Readonly<Record<string, Progress>>;
  const isOver = step !== null && step.endedAt !== null;
  const configured = configs.map((config) => config.id);
  const ids = [...configured, ...Object.keys(read).filter((id) => !configured.includes(id))];
  return ids.map((id) => {
    const progress = read[id];
    const config = configs.find((one) => one.id === id);
    const origin = progress?.hash ? origins.get(progress.hash) : undefined;
    return {
      id,
      title: origin?.title ?? config?.title ?? id,
      url: origin?.url ?? config?.url ?? "",
      finalUrl: origin?.finalUrl ?? null,
      licence: origin?.licence ?? config?.licence ?? "",
      required: progress?.required ?? config?.required ?? false,
      state: progress?.state ?? (isOver ? "skipped" : "waiting"),
      fetchedAt: progress?.fetchedAt ?? null,
      snapshotHash: progress?.hash ?? null,
      errorCode: progress?.errorCode ?? null,
      attempts: progress?.attempts ?? 0,
      newItems: progress?.newItems ?? null,
    };
  });
}
