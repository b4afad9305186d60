import { useEffect } from "react";
import { useContentReview } from "../../stores/content-review";

/** The frozen source with this hash, asked for once; it never changes, so it is never asked for again. */
export function useSnapshot(hash: string | null) {
  const answer = useContentReview((state) => (hash === null ? undefined : state.snapshots[hash]));
  const fetchSnapshot = useContentReview((state) => state.fetchSnapshot);
  useEffect(() => {
    if (hash !== null) void fetchSnapshot(hash);
  }, [hash, fetchSnapshot]);
  return answer;
}
