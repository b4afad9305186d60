import type { Customers } from "../../db/customers";
import { type AudienceImport, parseAudienceCsv } from "../pipeline/briefing/audience-csv";
import type { CustomerPort } from "../pipeline/briefing/ports";

/** The customers' database as the pipeline may see it: ids, groups and digests; addresses for a request only. */
export function customerPort(customers: Customers): CustomerPort {
  return {
    members: () => customers.recipients().map(({ recipientId, group, digest }) => ({ recipientId, group, digest })),
    importVersion: () => customers.importVersion(),
    addressesFor: (ids) => customers.addressesFor(ids),
    keepRequest: (operationId, bytes) => {
      const kept = customers.putMailRequest(operationId, bytes);
      return kept.kind === "kept" ? kept.sha256 : null;
    },
    keptRequest: (operationId) => customers.getMailRequest(operationId),
  };
}

export type AudienceLoaded =
  | { kind: "imported"; count: number; report: AudienceImport }
  | { kind: "refused"; report: AudienceImport; faults: readonly string[] };

/** Reads a customers' list (header `id,address,group`) whole or not at all; duplicates and bad rows are listed by line. */
export function importAudienceFile(customers: Customers, bytes: Uint8Array): AudienceLoaded {
  const report = parseAudienceCsv(bytes);
  if (report.bad.length > 0)
    return { kind: "refused", report, faults: report.bad.map((row) => `line ${row.line}: ${row.reason}`) };
  if (report.recipients.length === 0) return { kind: "refused", report, faults: ["the list has nobody on it"] };
  const imported = customers.importAudience(
    report.recipients.map(({ id, address, group }) => ({ id, address, group })),
  );
  if (imported.kind === "refused")
    return { kind: "refused", report, faults: imported.faults.map((fault) => `row ${fault.row + 1}: ${fault.code}`) };
  return { kind: "imported", count: imported.count, report };
}
