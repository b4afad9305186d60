import type { TaskView } from "../../domain/view";
import type { SourceOrigin } from "./records";

/** Where each frozen snapshot of the task came from, by its hash. */
export function readOrigins(view: TaskView): ReadonlyMap<string, SourceOrigin> {
  const origins = new Map<string, SourceOrigin>();
  for (const artifact of view.artifacts("source-snapshot")) {
    if (artifact.origin !== null) origins.set(artifact.hash, JSON.parse(artifact.origin) as SourceOrigin);
  }
  return origins;
}
