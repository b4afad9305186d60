import type { IncidentRows } from "../../../db/queries/incidents";
import { seenObjects } from "../../domain/decide/incident";
import type { Instant } from "../../domain/ids";
import type { RunbookFact, Words } from "../../domain/runbook";
import { localTimeOf } from "../../domain/schedule";
import type { TaskView } from "../../domain/view";

const two = (value: number): string => String(value).padStart(2, "0");

/** A moment as it is read at night, with its zone: `2026-07-20 09:14 Asia/Shanghai`. */
export function momentIn(at: Instant, zone: string): string {
  const { year, month, day, hour, minute } = localTimeOf(at, zone);
  return `${year}-${two(month)}-${two(day)} ${two(hour)}:${two(minute)} ${zone}`;
}

const text = (value: unknown): string => (typeof value === "string" ? value : "");

/**
 * What the journal knows, for the braces of a runbook. All of it is plain text: ids, keys, hashes, addresses of pages.
 * @param finding why it was opened, in the words of the rule or the person
 */
export function incidentFacts(
  { row, view, epoch }: IncidentRows,
  finding: string | null,
  zone: string,
): Partial<Record<RunbookFact, string>> {
  const operation = view?.operations().find(({ id }) => id === row.operationId) ?? unsettledOf(view);
  const objects = view === null ? [] : seenObjects(view, row);
  const remoteIds = objects.length > 0 ? objects.map(({ remoteId }) => remoteId) : [operation?.remoteId ?? ""];
  const remoteUrls = objects.length > 0 ? objects.map(({ url }) => url ?? "") : [operation?.remoteUrl ?? ""];
  const approval = view?.approvals().at(-1);
  const context = view?.task.context ?? {};
  return {
    edition: row.edition ?? "",
    since: momentIn(row.openedAt, zone),
    openedBy: row.openedBy,
    finding: finding ?? "",
    epoch: String(epoch.epoch),
    operationKey: operation?.operationKey ?? "",
    operationState: operation?.state ?? "",
    slot: row.scope === "slot" ? row.scopeValue : (operation?.slot ?? ""),
    adapter: row.scope === "adapter" ? row.scopeValue : (operation?.adapter ?? ""),
    target: operation?.target ?? "",
    remoteIds: remoteIds.filter((id) => id !== "").join(", "),
    remoteUrls: remoteUrls.filter((url) => url !== "").join(", "),
    contentHash: text(context["contentHash"]),
    bodyHash: text(context["bodyHash"]),
    audienceHash: text(context["audienceHash"]),
    pageUrl: text(context["pageUrl"]) || text(operation?.remoteUrl),
    approval: approval ? `${approval.id} (${approval.approver})` : "",
    recipients: view === null ? "" : String(view.recipients().filter(({ outcome }) => outcome !== "excluded").length),
    ...(view === null
      ? {}
      : {
          taskKey: view.task.taskKey,
          state: view.task.state,
          owner: view.task.owner,
          backupOwner: view.task.backupOwner,
        }),
  };
}

/** What is frozen, as a sentence takes it: an edition is known by its name and not by its id. */
export function scopeWords({ scope, scopeValue, edition }: IncidentRows["row"]): Words {
  if (scope === "all") return { en: "Everything", "zh-CN": "一切" };
  const named = scope === "task" ? (edition ?? scopeValue) : scopeValue;
  return { en: named, "zh-CN": named };
}

/** The call that is the trouble where none was named: one without an outcome, else the last one that left. */
function unsettledOf(view: TaskView | null) {
  const operations = view?.operations().filter((row) => row.kind !== "compensate" && row.recipientId === null) ?? [];
  return operations.find((row) => !row.settled && row.state !== "prepared") ?? operations.at(-1);
}
