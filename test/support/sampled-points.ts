/**
 * Of all points at which a process can die, a test run takes every `stride`-th, beginning at `offset`: another loop over the same
 * points begins elsewhere, so that together they leave none out. `IMPRIMATUR_ALL_POINTS=1` takes every one in each of them.
 */
export function sampledPoints<T>(points: readonly T[], offset: number, stride = 3): T[] {
  if (process.env["IMPRIMATUR_ALL_POINTS"] === "1") return [...points];
  return points.filter((_point, index) => index % stride === offset % stride);
}
