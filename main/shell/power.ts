import { powerMonitor } from "electron";
import type { Backend } from "./handlers";
import { createPowerWatch, LOOK_EVERY_MS } from "./time-gap";

/** Tells the backend about sleep and waking, whether the system's events arrive once, twice or never. */
export function watchPower(backend: Backend): void {
  const watch = createPowerWatch({
    read: () => ({ wall: Date.now(), monotonic: performance.now() }),
    onSuspend: () => backend.onPowerSuspend(),
    onResume: () => backend.onPowerResume(),
  });
  powerMonitor.on("suspend", watch.suspendSeen);
  powerMonitor.on("resume", watch.resumeSeen);
  setInterval(watch.look, LOOK_EVERY_MS).unref();
}
