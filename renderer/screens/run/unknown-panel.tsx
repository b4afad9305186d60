import { Button } from "@mantine/core";
import { Radar, ShieldQuestion } from "lucide-react";
import { useTranslation } from "react-i18next";
import { CopyLine, HashChip } from "../../components/HashChip";
import { Moment } from "../../components/Moments";
import { formatZoned } from "../../format";
import { useZone } from "../../stores/clock";
import { useCommands } from "../../stores/commands";
import type { OperationView, RunView } from "../../stores/run";
import { operationName, wordFor, wordOrText } from "../../words";
import { RemoteShows } from "./remote-shows";
import { Verdicts } from "./verdicts";

const LEADS = ["request_sent", "unknown", "locked", "not_found", "conflict"] as const;
type Lead = (typeof LEADS)[number];

/** True where a person has to look: nothing is known, or what is known is not what was meant. */
export function needsEyes(operation: OperationView): boolean {
  if (operation.verdicts.length > 0) return true;
  return (
    ["unknown", "locked", "conflict"].includes(operation.state) ||
    (operation.state === "not_found" && operation.settledAt === null)
  );
}

/**
 * “Sent, no answer”: left what we intended, right what the remote shows, below the verdicts with their consequences. It has
 * a colour, a shape and words of its own, because it is neither a failure nor a success and must not be read as one.
 */
export function UnknownPanel({ run, operation }: { run: RunView; operation: OperationView }) {
  const { t } = useTranslation();
  const lead = LEADS.find((one) => one === operation.state) as Lead | undefined;
  const title = `unknown-${operation.id}`;
  return (
    <section className="panel attention tone-unknown" aria-labelledby={title}>
      <header>
        <h2 id={title} className="row tight">
          <ShieldQuestion size={17} aria-hidden />
          {wordFor("operationState", operation.state)}
        </h2>
        <span>{operationName(operation.kind, operation.phase)}</span>
      </header>
      {lead ? <p className="attention-lead">{t(`run.unknown.lead.${lead}`)}</p> : null}
      <div className="body two-sides">
        <Intended operation={operation} />
        <div className="stack">
          <RemoteShows operation={operation} />
          <LookNow run={run} operation={operation} />
        </div>
      </div>
      <Verdicts run={run} operation={operation} />
    </section>
  );
}

/** What the call was to do: its key, target, place and hashes, and the last try. */
export function Intended({ operation }: { operation: OperationView }) {
  const { t } = useTranslation();
  const zone = useZone();
  const last = operation.attempts.at(-1);
  return (
    <section className="stack tight">
      <h3>{t("run.unknown.intended")}</h3>
      <dl className="facts-of">
        <dt>{t("run.unknown.key")}</dt>
        <dd>
          <CopyLine value={operation.operationKey} what={t("run.unknown.key")} />
        </dd>
        <dt>{t("run.unknown.target")}</dt>
        <dd className="mono">{operation.target}</dd>
        <dt>{t("run.operation.slot")}</dt>
        <dd className="mono">{operation.slot}</dd>
        <dt>{t("hash.plain")}</dt>
        <dd className="row tight">
          <HashChip hash={operation.intentHash} of="intent" />
          {operation.contentHash === null ? null : <HashChip hash={operation.contentHash} of="content" />}
        </dd>
        {last ? (
          <>
            <dt>{t("run.unknown.attempt")}</dt>
            <dd className="num">
              {t("run.unknown.attemptAt", { number: last.number, moment: formatZoned(last.at, zone) })}
            </dd>
            <dt>{t("run.unknown.token")}</dt>
            <dd className="num">{last.fencingToken}</dd>
            <dt>{t("run.unknown.code")}</dt>
            <dd>
              <span className="mono">{last.code ?? t("none")}</span>
              {last.errorClass === null ? null : (
                <span className="muted small"> {wordOrText("errorClass", last.errorClass)}</span>
              )}
            </dd>
          </>
        ) : null}
      </dl>
    </section>
  );
}

/** Asks the remote once, as a receipt in the person's name; `brief` leaves the budget to the panel that shows it. */
export function LookNow({
  run,
  operation,
  brief = false,
}: {
  run: RunView;
  operation: OperationView;
  brief?: boolean;
}) {
  const { t } = useTranslation();
  const busy = useCommands((state) => state.busy["run.lookNow"] === true);
  const send = useCommands((state) => state.send);
  return (
    <div className="row">
      <Button
        leftSection={<Radar size={14} aria-hidden />}
        loading={busy}
        onClick={() =>
          void send("run.lookNow", { taskId: run.taskId, operationId: operation.id }, t("run.unknown.lookLabel"))
        }
      >
        {t("run.unknown.lookNow")}
      </Button>
      {brief ? null : <Budget operation={operation} />}
    </div>
  );
}

function Budget({ operation }: { operation: OperationView }) {
  const { t } = useTranslation();
  return (
    <>
      <span className="small muted num">
        {t("run.unknown.budget", { used: operation.looksUsed, total: operation.lookBudget })}
      </span>
      <span className="small muted">
        {t("run.unknown.next")}{" "}
        {operation.nextLookAt === null ? t("run.unknown.noNext") : <Moment at={operation.nextLookAt} shape="time" />}
      </span>
    </>
  );
}
