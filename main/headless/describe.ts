import type { DemoReport } from "./demo-report";

/** The same facts for a person. */
export function describeReport(report: DemoReport): string {
  const { publish, send, sources } = report;
  const failed = Object.entries(sources.failed).map(([id, code]) => `${id} (${code})`);
  const lines = [
    `Edition ${report.edition}: ${report.state}${report.blockedReason === null ? "" : ` (${report.blockedReason})`}`,
    `  sources    ${sources.frozen} frozen${failed.length === 0 ? "" : `, not read: ${failed.join(", ")}`}`,
    `  content    ${report.facts} facts${report.shortfall === 0 ? "" : ` (${report.shortfall} fewer than wanted)`}, ${report.links} links, hash ${report.contentHash?.slice(0, 12) ?? "none"}`,
    `  website    ${lookOf(publish)}, page read ${publish.probeAttempts} times until it matched`,
    `  mail       ${lookOf(send)}; ${send.accepted} accepted, ${send.delivered} delivered, ${send.bounced} bounced`,
    `  journal    ${report.events.length} events, ${report.violations} violations`,
    ...report.violationsFound.map((violation) => `             ! ${violation}`),
    `  took       ${(report.durationMs / 1000).toFixed(1)} s${report.workspace === null ? "" : `, files in ${report.workspace}`}`,
  ];
  return `${lines.join("\n")}\n`;
}

function lookOf(side: DemoReport["publish"] | DemoReport["send"]): string {
  const lost =
    side.unknown === 0 ? "answered" : `answer lost ${side.unknown} time(s), found by asking ${side.reconciled} time(s)`;
  return `object ${side.remoteId ?? "none"}: ${side.createCalls} create call(s), ${side.remoteObjects} object(s) there, ${lost}`;
}
