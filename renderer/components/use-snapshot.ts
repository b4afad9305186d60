import { useEffect } from "react";
import { useSnapshots } from "../stores/snapshots";

/** The frozen source with this hash as text, asked for once. */
export function useSnapshot(taskId: string, hash: string | null) {
  const answer = useSnapshots((state) => (hash === null || state.taskId !== taskId ? undefined : state.byHash[hash]));
  const fetchSnapshot = useSnapshots((state) => state.fetch);
  useEffect(() => {
    if (hash !== null) void fetchSnapshot(taskId, hash);
  }, [taskId, hash, fetchSnapshot]);
  return answer;
}
