import { EvidenceOrder } from "../compose/evidence-report";
import { workOnEvidence } from "./evidence";

/** The child program of evidence work (a utility process): one order, then reports; a second message can only stop it. */
const port = process.parentPort;
const stop = new AbortController();
port.on("message", ({ data }) => {
  const order = EvidenceOrder.parse(data);
  if (order.kind === "stop") stop.abort();
  else void workOnEvidence(order, (report) => port.postMessage(report), stop.signal);
});
