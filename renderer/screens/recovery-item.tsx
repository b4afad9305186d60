import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { AnswerGate } from "../components/AnswerGate";
import { BackButton } from "../components/BackButton";
import { Countdown, Moment } from "../components/Moments";
import { Panel } from "../components/Panel";
import { ScreenHeading } from "../components/ScreenHeading";
import { StateBadge } from "../components/StateBadge";
import { formatNumber } from "../format";
import { useNav } from "../stores/nav";
import { type RecoveryItemView, useRecovery } from "../stores/recovery";
import { wordFor } from "../words";
import { History } from "./recovery/history";
import { Escalation } from "./recovery/item-row";
import { aboutOf, ownersOf } from "./recovery/item-words";
import { MoveForm } from "./recovery/move-form";
import { PatternDuties } from "./recovery/patterns";

/** One recovery item: what it is about, what became of it, and where it goes next. */
export function RecoveryItem({ itemId }: { itemId: string }) {
  const { t } = useTranslation();
  const answer = useRecovery((state) => state.answer);
  const shown = useRecovery((state) => state.itemId);
  const item = shown === itemId ? (answer.value?.items.find(({ id }) => id === itemId) ?? null) : null;
  return (
    <>
      <header className="head">
        <div className="row">
          <BackButton to={{ screen: "recovery" }}>{t("recovery.toBoard")}</BackButton>
          <ScreenHeading>{item === null ? t("recovery.item") : wordFor("recovery.kind", item.kind)}</ScreenHeading>
          {item === null ? null : (
            <>
              <b>{wordFor("recovery.stage", item.stage)}</b>
              <Escalation item={item} />
            </>
          )}
        </div>
      </header>
      <AnswerGate
        answer={{ ...answer, value: item, settled: answer.settled && shown === itemId }}
        empty={t("recovery.gone")}
      >
        {(value) => (
          <div className="recovery-item-grid">
            <div className="stack wide">
              <Facts item={value} />
              <Recurrence item={value} />
              <History item={value} />
            </div>
            <MoveForm key={value.stage} item={value} />
          </div>
        )}
      </AnswerGate>
    </>
  );
}

function Facts({ item }: { item: RecoveryItemView }) {
  const { t } = useTranslation();
  const go = useNav((state) => state.go);
  const [owner, backup] = ownersOf(item);
  const isOpen = item.stage !== "closed" && item.stage !== "reviewed";
  const { taskId } = item;
  const proof = item.kind === "drill_failed" ? t("recovery.drillProof") : null;
  return (
    <Panel
      title={t("recovery.facts.title")}
      actions={
        <Button size="compact-xs" onClick={() => go({ screen: "run", taskId })}>
          {t("menu.openRun", { edition: item.edition })}
        </Button>
      }
    >
      <dl className="facts-of">
        <dt>{t("recovery.facts.about")}</dt>
        <dd>{aboutOf(item)}</dd>
        <dt>{t("recovery.facts.edition")}</dt>
        <dd className="row tight">
          <b className="num">{item.edition}</b> <StateBadge state={item.taskState} />
        </dd>
        <Fact name={t("recovery.facts.operation")} value={item.operation?.key ?? null} mono />
        <Fact
          name={t("recovery.facts.class")}
          value={item.errorClass === null ? null : wordFor("errorClass", item.errorClass)}
        />
        <Fact name={t("recovery.facts.code")} value={item.code} mono />
        <Fact
          name={t("recovery.facts.recipients")}
          value={item.recipients === null ? null : formatNumber(item.recipients)}
        />
        <dt>{t("recovery.facts.owner")}</dt>
        <dd>
          {owner} <span className="muted">{t("recovery.backup", { name: backup })}</span>
        </dd>
        <dt>{t("recovery.facts.since")}</dt>
        <dd>
          <Moment at={item.createdAt} />
        </dd>
        <dt>{t("recovery.facts.due")}</dt>
        <dd className="row tight">
          <Moment at={item.dueAt} /> {isOpen ? <Countdown until={item.dueAt} /> : null}
        </dd>
        <dt>{t("recovery.facts.minutes")}</dt>
        <dd className="num">{t("duration.minutes", { m: item.minutes })}</dd>
        <Fact name={t("recovery.proof.method")} value={item.method} />
        <Fact name={t("recovery.proof.verification")} value={item.verification ?? proof} />
        <Fact name={t("recovery.proof.review")} value={item.review} />
      </dl>
    </Panel>
  );
}

function Fact({ name, value, mono = false }: { name: string; value: string | null; mono?: boolean }) {
  if (value === null) return null;
  return (
    <>
      <dt>{name}</dt>
      <dd className={mono ? "mono wrap" : "wrap"}>{value}</dd>
    </>
  );
}

/** What follows from its having come before. */
function Recurrence({ item }: { item: RecoveryItemView }) {
  const { t } = useTranslation();
  const pattern = useRecovery(({ answer }) =>
    answer.value?.patterns.find(({ fingerprint }) => fingerprint === item.pattern),
  );
  if (pattern === undefined) return null;
  return (
    <Panel title={t("recovery.patterns.title")}>
      <div className="stack tight">
        <p className="num">{t("recovery.patterns.times", { week: pattern.lastWeek, month: pattern.lastMonth })}</p>
        <PatternDuties pattern={pattern} />
      </div>
    </Panel>
  );
}
