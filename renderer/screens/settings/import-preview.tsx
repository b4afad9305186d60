import { Button } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { formatNumber } from "../../format";
import { type AudiencePreview, useSettings } from "../../stores/settings";
import { wordFor } from "../../words";

type Ready = Extract<AudiencePreview, { result: "ready" }>;
type Bad = Extract<AudiencePreview, { result: "bad_rows" }>;

/** What importing the list would do, before it is done: who comes, changes, leaves and stays; or every row that stands against it. */
export function ImportPreview({ name }: { name: string }) {
  const { t } = useTranslation();
  const preview = useSettings((state) => state.preview);
  const putAway = useSettings((state) => state.putAway);
  const { value } = preview;
  return (
    <section className="stack" aria-label={t("settings.import.preview")}>
      {preview.loading ? (
        <p className="muted" role="status">
          {t("settings.import.reading")}
        </p>
      ) : null}
      {value?.result === "no_file" ? <p role="alert">{t("settings.audience.no_file")}</p> : null}
      {value?.result === "bad_rows" ? <BadRows bad={value} /> : null}
      {value?.result === "ready" ? <Ready ready={value} /> : null}
      <div className="row" style={{ justifyContent: "flex-end" }}>
        <Button onClick={putAway}>{t("settings.import.putAway")}</Button>
        {value?.result === "ready" ? <ImportButton ready={value} name={name} /> : null}
      </div>
    </section>
  );
}

function BadRows({ bad: { bad, badCount, rows } }: { bad: Bad }) {
  const { t } = useTranslation();
  return (
    <div className="stack tight" role="alert">
      <p>
        <b>{t("settings.import.bad", { count: badCount, rows: formatNumber(rows) })}</b>
      </p>
      <Listed shown={bad.length} count={badCount}>
        {bad.map(({ line, reason }) => (
          <li key={`${line} ${reason}`}>
            {t("settings.import.badRow", { line: formatNumber(line), reason: wordFor("settings.fault", reason) })}
          </li>
        ))}
      </Listed>
    </div>
  );
}

function Ready({ ready }: { ready: Ready }) {
  const { t } = useTranslation();
  const { changes, duplicates, duplicateCount, merged, mergedCount, kept } = ready;
  return (
    <dl className="facts-of">
      {changes.map(({ change, count, recipientIds }) => (
        <Line key={change} name={t(`settings.import.change.${change}`)} count={count}>
          <Listed shown={recipientIds.length} count={count}>
            {recipientIds.map((id) => (
              <li key={id} className="mono small wrap">
                {id}
              </li>
            ))}
          </Listed>
        </Line>
      ))}
      <dt>{t("settings.import.kept")}</dt>
      <dd className="num">{formatNumber(kept)}</dd>
      <Line name={t("settings.import.duplicates")} count={duplicateCount}>
        <Listed shown={duplicates.length} count={duplicateCount}>
          {duplicates.map(({ line, id, repeatsLine }) => (
            <li key={line}>
              {t("settings.import.duplicate", {
                ...{ line: formatNumber(line), id, first: formatNumber(repeatsLine) },
              })}
            </li>
          ))}
        </Listed>
      </Line>
      <Line name={t("settings.import.merged")} count={mergedCount}>
        <Listed shown={merged.length} count={mergedCount}>
          {merged.map(({ id, recipientId }) => (
            <li key={id}>{t("settings.import.mergedRow", { id, recipientId })}</li>
          ))}
        </Listed>
      </Line>
    </dl>
  );
}

function Line({ name, count, children }: { name: string; count: number; children: React.ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd className="num">
        {count === 0 ? (
          <span className="muted">{formatNumber(0)}</span>
        ) : (
          <details>
            <summary>{formatNumber(count)}</summary>
            {children}
          </details>
        )}
      </dd>
    </>
  );
}

/** A list that says when it is not all of it. */
function Listed({ shown, count, children }: { shown: number; count: number; children: React.ReactNode }) {
  const { t } = useTranslation();
  return (
    <>
      <ul className="settings-list">{children}</ul>
      {shown < count ? <p className="muted small num">{t("settings.import.more", { count: count - shown })}</p> : null}
    </>
  );
}

function ImportButton({ ready, name }: { ready: Ready; name: string }) {
  const { t } = useTranslation();
  const [isAsking, setIsAsking] = useState(false);
  const importList = useSettings((state) => state.importList);
  const isBusy = useSettings((state) => state.isBusy);
  const removed = ready.changes.find(({ change }) => change === "removed")?.count ?? 0;
  return (
    <>
      <Button variant="filled" loading={isBusy} onClick={() => setIsAsking(true)}>
        {t("settings.import.open", { count: ready.count })}
      </Button>
      <ConfirmDialog
        opened={isAsking}
        title={t("settings.import.confirmTitle", { name })}
        confirmLabel={t("settings.import.confirm", { count: ready.count })}
        busy={isBusy}
        onCancel={() => setIsAsking(false)}
        onConfirm={() => {
          setIsAsking(false);
          void importList();
        }}
      >
        <p>{t("settings.import.confirmLead")}</p>
        {removed > 0 ? <p>{t("settings.import.confirmRemoved", { count: removed })}</p> : null}
      </ConfirmDialog>
    </>
  );
}
