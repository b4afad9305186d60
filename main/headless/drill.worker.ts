import { DrillOrder } from "../compose/drill-report";
import { playDrill } from "./drill";

/** The child program of a drill (a utility process): one order, then reports until whoever started it ends it. */
const port = process.parentPort;
port.once("message", ({ data }) => void playDrill(DrillOrder.parse(data), (report) => port.postMessage(report)));
