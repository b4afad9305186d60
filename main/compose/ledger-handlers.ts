import type { Handlers } from "./channel-handlers";
import type { EvidenceDeskOptions } from "./evidence-desk";
import { ledgerFile } from "./ledger-file";
import type { Views } from "./views";

/** Where a person puts a file, chosen in the system's own dialog. */
export type ExportFiles = Pick<EvidenceDeskOptions["files"], "chooseNew" | "writeText">;

type LedgerChannel = Extract<keyof Handlers, `ledger.${string}`>;

/** The ledger's screens, and its export into a file that the person names. */
export function ledgerHandlers(views: Views, files: ExportFiles): Pick<Handlers, LedgerChannel> {
  return {
    "ledger.get": (asked) => views.ledger(asked),
    "ledger.rows": ({ taskIds }) => ({ rows: views.ledgerRows(taskIds) }),
    "ledger.facts": ({ taskId }) => views.ledgerFacts(taskId),
    "ledger.export": async (asked) => {
      const file = await files.chooseNew(`ledger.${asked.format}`);
      if (file === null) return { result: "nothing_chosen" };
      const rows = await views.allLedgerRows(asked);
      const text = ledgerFile(asked, rows, views.clock().now);
      return files.writeText(file, text) ? { result: "saved", file, rows: rows.length } : { result: "failed" };
    },
  };
}
