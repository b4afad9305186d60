import { openDrill } from "./drill";

/** The child program of a drill (a utility process): one order, then reports until whoever started it ends it. */
const port = process.parentPort;
const hear = openDrill((report) => port.postMessage(report));
port.on("message", ({ data }) => hear(data));
