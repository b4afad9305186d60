import { Button } from "@mantine/core";
import { CirclePlay } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { AnswerGate } from "../components/AnswerGate";
import { LaterVersion } from "../components/LaterVersion";
import { Moment } from "../components/Moments";
import { Empty, Panel } from "../components/Panel";
import { ScreenHeading } from "../components/ScreenHeading";
import { StateBadge } from "../components/StateBadge";
import { formatMoment, formatZoned } from "../format";
import { useApp } from "../stores/app";
import { useZone } from "../stores/clock";
import { useCommands } from "../stores/commands";
import { useNav } from "../stores/nav";
import { type TodayView, useToday } from "../stores/today";
import { Health } from "./today/health";
import { Live } from "./today/live";
import { Reconciliation } from "./today/reconciliation";
import { Waiting } from "./today/waiting";

/** Home: what waits for the editor, what happens now, how healthy it is, in one look. */
export function Today() {
  const { t } = useTranslation();
  const answer = useToday((state) => state.answer);
  const isSample = useApp((state) => state.boot?.workspace?.isSampleLedger === true);
  return (
    <>
      <header className="head">
        <span className="row">
          <ScreenHeading>{t("today.title")}</ScreenHeading>
          {isSample ? <span className="muted">{t("setup.ledger.title")}</span> : null}
        </span>
        {answer.value ? <Start startable={answer.value.startable} /> : null}
      </header>
      <AnswerGate answer={answer} empty={t("today.waiting.empty")}>
        {(today) => (
          <>
            <div className="today-grid">
              <Waiting items={today.waiting} journal={today.journalIncidents ?? []} />
              <div className="stack wide">
                <Live tasks={today.live} />
                <Health health={today.health} />
                <Reconciliation />
              </div>
            </div>
            <Ended ended={today.ended} />
          </>
        )}
      </AnswerGate>
    </>
  );
}

function Start({ startable }: { startable: TodayView["startable"] }) {
  const { t } = useTranslation();
  const busy = useCommands((state) => state.busy["edition.start"] === true);
  const send = useCommands((state) => state.send);
  const zone = useZone();
  if (!startable) return null;
  const { edition, dueAt } = startable;
  return (
    <div className="row">
      {dueAt === null ? null : (
        <span className="muted num" title={formatZoned(dueAt, zone)}>
          {t("today.start.due", { moment: formatMoment(dueAt, zone, "short") })}
        </span>
      )}
      <Button
        variant="filled"
        leftSection={<CirclePlay size={14} aria-hidden />}
        title={t("today.start.what")}
        loading={busy}
        onClick={() => void send("edition.start", { edition }, t("today.start.label", { edition }))}
      >
        {t("today.start.button", { edition })}
      </Button>
    </div>
  );
}

/** As many as fit on the screen beside everything else. */
const ENDED_AT_FIRST = 10;

function Ended({ ended }: { ended: TodayView["ended"] }) {
  const { t } = useTranslation();
  const go = useNav((state) => state.go);
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? ended : ended.slice(0, ENDED_AT_FIRST);
  return (
    <Panel title={t("today.ended.title")} flush>
      {ended.length === 0 ? <Empty>{t("today.ended.empty")}</Empty> : null}
      <ul data-list className="rows">
        {shown.map((task) => (
          <li key={task.taskId}>
            <button
              type="button"
              data-row
              className="rowbutton ended"
              onClick={() => go({ screen: "run", taskId: task.taskId })}
            >
              <b className="num">{task.edition}</b>
              <LaterVersion version={task.version} />
              <StateBadge state={task.state} />
              <span className="muted">
                <Moment at={task.at} />
              </span>
            </button>
          </li>
        ))}
      </ul>
      {ended.length > shown.length ? (
        <Button size="compact-xs" m={8} onClick={() => setWhole(true)}>
          {t("today.ended.all", { all: ended.length })}
        </Button>
      ) : null}
    </Panel>
  );
}
