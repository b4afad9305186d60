import { Button, NumberInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { AnswerGate } from "../../components/AnswerGate";
import { Ago } from "../../components/Moments";
import { Panel } from "../../components/Panel";
import { formatBytes, formatNumber } from "../../format";
import { type BackupsView, useBackups } from "../../stores/backups";
import { wordFor } from "../../words";

const STEPS = ["close", "aside", "copy", "keys", "open", "ask"] as const;

/** Where backups go, how often and how many, what the last one came to, and how one is put back. */
export function BackupsPanel() {
  const { t } = useTranslation();
  const answer = useBackups((state) => state.answer);
  return (
    <Panel title={t("settings.backups.title")}>
      <AnswerGate answer={answer} empty={t("settings.empty")}>
        {(backups) => (
          <div className="stack">
            <Facts backups={backups} />
            <Said backups={backups} />
            {backups.running === null ? null : <Progress running={backups.running} />}
            <Actions backups={backups} />
            <Restoring />
          </div>
        )}
      </AnswerGate>
    </Panel>
  );
}

function Facts({ backups: { folder, keep, made } }: { backups: BackupsView }) {
  const { t } = useTranslation();
  const setKeep = useBackups((state) => state.setKeep);
  return (
    <dl className="facts-of">
      <dt>{t("settings.backups.folder")}</dt>
      <dd className={folder === null ? undefined : "mono wrap"}>{folder ?? t("settings.backups.off")}</dd>
      <dt>{t("settings.backups.newest")}</dt>
      <dd>{made === null ? t("settings.backups.none") : <Ago at={made.at} />}</dd>
      {made === null ? null : (
        <>
          <dt>{t("settings.backups.holds")}</dt>
          <dd className="num">
            {t("settings.backups.holdsOf", {
              count: made.count,
              bytes: formatBytes(made.bytes),
              events: formatNumber(made.events),
            })}
          </dd>
        </>
      )}
      <dt>{t("settings.backups.keep")}</dt>
      <dd>
        <NumberInput
          size="xs"
          aria-label={t("settings.backups.keep")}
          value={keep}
          min={1}
          max={365}
          allowDecimal={false}
          onBlur={({ currentTarget }) => {
            const wanted = Number(currentTarget.value);
            if (Number.isInteger(wanted) && wanted >= 1 && wanted <= 365 && wanted !== keep) void setKeep(wanted);
          }}
        />
      </dd>
    </dl>
  );
}

/** Why the last try, or the last choice, came to nothing. */
function Said({ backups: { last, running } }: { backups: BackupsView }) {
  const { t } = useTranslation();
  const chosen = useBackups((state) => state.chosen);
  const problem = useBackups((state) => state.problem);
  const isRefused = chosen !== null && chosen !== "chosen" && chosen !== "nothing_chosen";
  return (
    <>
      {problem === null ? null : (
        <p role="alert" className="notice tone-bad">
          {t("settings.backups.notAsked")}
        </p>
      )}
      {isRefused ? (
        <p role="alert" className="notice tone-bad">
          {wordFor("settings.backups.fault", chosen)}
        </p>
      ) : null}
      {last?.result === "failed" && running === null ? (
        <div role="alert" className="notice tone-bad">
          <p>
            {t("settings.backups.failed")} <Ago at={last.at} />: {wordFor("settings.backups.fault", last.code)}
          </p>
          <p className="mono wrap">
            {last.path} {last.detail}
          </p>
        </div>
      ) : null}
    </>
  );
}

function Progress({ running: { step, done, of } }: { running: NonNullable<BackupsView["running"]> }) {
  const { t } = useTranslation();
  const words = t(`settings.backups.step.${step}`);
  return (
    <p role="status">
      <progress max={of === 0 ? 1 : of} value={of === 0 ? undefined : done} aria-label={words} /> {words}
    </p>
  );
}

function Actions({ backups: { folder, running } }: { backups: BackupsView }) {
  const { t } = useTranslation();
  const { choose, turnOff, tell, isBusy } = useBackups();
  return (
    <div className="row">
      {running === null ? (
        <Button size="compact-sm" disabled={folder === null} onClick={() => void tell("backups.start")}>
          {t("settings.backups.now")}
        </Button>
      ) : (
        <Button size="compact-sm" variant="default" onClick={() => void tell("backups.cancel")}>
          {t("settings.backups.cancel")}
        </Button>
      )}
      <Button size="compact-sm" variant="default" disabled={isBusy} onClick={() => void choose()}>
        {t(folder === null ? "settings.backups.choose" : "settings.backups.chooseOther")}
      </Button>
      {folder === null ? null : (
        <>
          <Button size="compact-sm" variant="default" onClick={() => void tell("backups.show")}>
            {t("settings.backups.show")}
          </Button>
          <Button size="compact-sm" variant="default" disabled={isBusy} onClick={() => void turnOff()}>
            {t("settings.backups.turnOff")}
          </Button>
        </>
      )}
    </div>
  );
}

/** What is not in a backup, and how it is put back: by a person, never by the program. */
function Restoring() {
  const { t } = useTranslation();
  return (
    <>
      <p className="muted">{t("settings.backups.notHeld")}</p>
      <details>
        <summary>{t("settings.backups.restore.title")}</summary>
        <ol>
          {STEPS.map((step) => (
            <li key={step}>{t(`settings.backups.restore.${step}`)}</li>
          ))}
        </ol>
      </details>
    </>
  );
}
