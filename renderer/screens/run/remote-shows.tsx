import { CircleHelp, Equal, EqualNot } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Ago } from "../../components/Moments";
import { Mark } from "../../components/StateBadge";
import type { OperationView } from "../../stores/run";
import { wordOrText } from "../../words";

type RemoteObject = OperationView["looks"][number]["objects"][number];

/** What the remote shows by our key: when it was asked, with which query, and every object with its comparisons. */
export function RemoteShows({ operation }: { operation: OperationView }) {
  const { t } = useTranslation();
  const look = operation.looks.at(-1);
  if (!look) {
    return (
      <section className="stack tight">
        <h3>{t("run.unknown.shows")}</h3>
        <p className="muted">{t("run.unknown.never")}</p>
      </section>
    );
  }
  return (
    <section className="stack tight">
      <h3 className="row spread">
        {t("run.unknown.shows")}
        <Ago at={look.at} checked />
      </h3>
      <p>
        <b>{wordOrText("lookVerdict", look.verdict)}</b>
      </p>
      {/* A look that was not able to see has seen nothing, and that is not “nothing there”. */}
      {look.objects.length === 0 && look.able ? <p>{t("run.unknown.nothing")}</p> : null}
      {look.able ? null : <p className="muted">{t("run.unknown.notAble")}</p>}
      <ul className="stack tight">
        {look.objects.map((object) => (
          <li key={object.remoteId} className="remote-object">
            <RemoteObjectView object={object} />
          </li>
        ))}
      </ul>
      <p className="small muted wrap">
        {t("run.unknown.query")} <span className="mono">{look.query}</span>
      </p>
    </section>
  );
}

/** One object that a look saw: its id, state and address, and how each comparison came out. */
export function RemoteObjectView({ object }: { object: RemoteObject }) {
  const { t } = useTranslation();
  return (
    <>
      <p className="row tight">
        <b className="num">{t("run.unknown.object", { id: object.remoteId })}</b>
        <span className="muted small">{t("run.unknown.remoteState", { state: object.state })}</span>
      </p>
      {object.url === null ? null : <p className="mono small wrap">{object.url}</p>}
      <ul className="row compare">
        <Compared what={t("run.unknown.compare.key")} equal={object.keyEqual} />
        <Compared what={t("run.unknown.compare.intent")} equal={object.intentEqual} />
        <Compared what={t("run.unknown.compare.content")} equal={object.contentEqual} />
        <Compared what={t("run.unknown.compare.task")} equal={object.taskEqual} />
      </ul>
    </>
  );
}

function Compared({ what, equal }: { what: string; equal: boolean | null }) {
  const { t } = useTranslation();
  const look =
    equal === null
      ? ({ tone: "neutral", icon: CircleHelp, word: "unseen" } as const)
      : equal
        ? ({ tone: "ok", icon: Equal, word: "equal" } as const)
        : ({ tone: "bad", icon: EqualNot, word: "differs" } as const);
  return (
    <li>
      <span className="muted small">{what}</span>{" "}
      <Mark tone={look.tone} icon={look.icon}>
        {t(`pair.${look.word}`)}
      </Mark>
    </li>
  );
}
