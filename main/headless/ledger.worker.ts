import { LedgerOrder } from "../compose/ledger-report";
import { buildSampleLedger } from "./ledger-build";

/** The child program that makes the sample ledger (a utility process): one order, then reports until it is ended. */
const port = process.parentPort;
port.once(
  "message",
  ({ data }) => void buildSampleLedger(LedgerOrder.parse(data), (report) => port.postMessage(report)),
);
