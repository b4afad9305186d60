import { parentPort, workerData } from "node:worker_threads";
import { fsck } from "../../db/fsck";

/** The journal against itself, off the main thread: which of its promises it does not keep. */
const { dir } = workerData as { dir: string };
parentPort?.postMessage(fsck(dir).violations.map(({ invariant, subject }) => ({ invariant, subject })));
