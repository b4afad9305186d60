import { Button } from "@mantine/core";
import { CircleCheck, Hand } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Mark } from "../../../components/StateBadge";
import { useNewAction } from "../../../stores/new-action";

/** What may be done with the action as it is described, what stays a person's and why; and its package. */
export function ResultPage() {
  const { t } = useTranslation();
  const { judged, problem, busy, write, startAnew } = useNewAction();
  return (
    <div className="stack">
      {judged === null ? (
        <p className="muted">…</p>
      ) : (
        <>
          <Mark
            tone={judged.verdict === "automatic" ? "ok" : "warn"}
            icon={judged.verdict === "automatic" ? CircleCheck : Hand}
          >
            {t(`newAction.verdict.${judged.verdict}`)}
          </Mark>
          <ul className="plain-list" aria-label={t("newAction.why")}>
            {judged.reasons.map(({ code, answers }) => (
              <li key={code}>
                {t(`newAction.reason.${code}`, {
                  what: answers.map((answer) => t(`newAction.${answer}.title`)).join(" · "),
                })}
              </li>
            ))}
          </ul>
        </>
      )}
      <div className="row">
        <Button variant="filled" loading={busy} disabled={judged === null} onClick={() => void write()}>
          {t("newAction.write")}
        </Button>
        <Button onClick={startAnew}>{t("newAction.anew")}</Button>
      </div>
      <div role="status">
        <Written />
        {problem === null ? null : <p className="bad">{t("newAction.written.lost")}</p>}
      </div>
    </div>
  );
}

function Written() {
  const { t } = useTranslation();
  const written = useNewAction((state) => state.written);
  if (written === null) return null;
  if (written.result === "refused")
    return (
      <ul className="plain-list">
        {written.faults.map(({ file, field, wrong }) => (
          <li key={`${file} ${field}`} className="wrap">
            <span className="mono">
              {file} {field}
            </span>{" "}
            {wrong}
          </li>
        ))}
      </ul>
    );
  const folder = "folder" in written ? written.folder : "";
  return <p className="wrap">{t(`newAction.written.${written.result}`, { folder })}</p>;
}
