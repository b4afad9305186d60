import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Output } from "../../../preload/contract";
import { ask } from "../../bridge";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { UnmetList } from "../../components/UnmetList";
import { formatZoned } from "../../format";
import { useZone } from "../../stores/clock";
import { useCommands } from "../../stores/commands";
import { type DraftSession, useDraft } from "../../stores/draft";
import { type DraftContent, type DraftView, editOf } from "../../stores/draft-content";
import { useNav } from "../../stores/nav";
import { actorWord, wordFor, wordOrText } from "../../words";

type Weighed = Output<"draft.weigh">;

/** Says what bringing the edit in would end and begin, as the rules that then do it say it, before anything is done. */
export function UseDialog({ view, session, close }: { view: DraftView; session: DraftSession; close: () => void }) {
  const { t } = useTranslation();
  const { taskId, stateVersion: expectedVersion } = view;
  const [weighed, setWeighed] = useState<Weighed | null>(null);
  const [lost, setLost] = useState<string | null>(null);
  const busy = useCommands((state) => state.busy["draft.use"] === true);
  const send = useCommands((state) => state.send);
  const { present } = session.history;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another state of the edition is weighed anew
  useEffect(() => {
    let isShown = true;
    const weigh = async () => {
      if (!(await useDraft.getState().keep()) || !isShown) return isShown ? close() : undefined;
      const reply = await ask("draft.weigh", askedOf(taskId, present));
      if (!isShown) return;
      if (reply.ok) setWeighed(reply.value);
      else setLost(reply.problem.detail);
    };
    void weigh();
    return () => {
      isShown = false;
    };
  }, [taskId, present, expectedVersion]);
  const use = async () => {
    const isUsed = await send("draft.use", { ...askedOf(taskId, present), expectedVersion }, t("draft.use.label"));
    close();
    if (!isUsed) return;
    useDraft.getState().end();
    useNav.getState().go({ screen: "content", taskId });
  };
  return (
    <ConfirmDialog
      opened
      title={t("draft.use.title")}
      confirmLabel={t("draft.use.confirm")}
      busy={busy}
      ready={weighed?.open === true}
      onCancel={close}
      onConfirm={() => void use()}
    >
      {lost === null ? null : <p className="mono">{lost}</p>}
      {weighed === null && lost === null ? <p className="muted">{t("loading")}</p> : null}
      {weighed === null ? null : weighed.open ? (
        <Consequences weighed={weighed} />
      ) : (
        <Missing weighed={weighed} present={present} />
      )}
    </ConfirmDialog>
  );
}

/** The session as it is by now: keeping it has just given it another working copy. */
function askedOf(taskId: string, present: DraftContent) {
  const { session } = useDraft.getState();
  const seen = { draftHash: session?.base ?? null, workingHash: session?.working ?? null };
  return { taskId, seen, edit: editOf(present) };
}

function Consequences({ weighed }: { weighed: Weighed }) {
  const { t } = useTranslation();
  const zone = useZone();
  const { to, ends, cancels, packageHash, changesPage, changesBody } = weighed;
  return (
    <div className="stack">
      <h3>{t("draft.use.what")}</h3>
      <ul className="points">
        {packageHash === null ? null : <li>{t("draft.use.package")}</li>}
        {ends.map(({ scope, approver, issuedAt }) => (
          <li key={`${scope} ${issuedAt}`}>
            {t("draft.use.ends", {
              scope: wordFor("scope", scope),
              approver: actorWord(approver),
              at: formatZoned(issuedAt, zone, "minute"),
            })}
          </li>
        ))}
        {ends.length === 0 ? <li>{t("draft.use.endsNothing")}</li> : null}
        {cancels === 0 ? null : <li>{t("draft.use.cancels", { count: cancels })}</li>}
        <li>{changesPage ? t("draft.use.page") : t("draft.use.pageSame")}</li>
        <li>{changesBody ? t("draft.use.body") : t("draft.use.bodySame")}</li>
        {to === null ? null : <li>{t("draft.use.to", { state: wordFor("state", to) })}</li>}
      </ul>
      <p className="muted">{t("draft.use.keeps")}</p>
    </div>
  );
}

function Missing({ weighed, present }: { weighed: Weighed; present: DraftContent }) {
  const { t } = useTranslation();
  const numberOf = (factId: string) => present.facts.findIndex(({ id }) => id === factId) + 1;
  const placeOf = (factId: string | null, field: string) => {
    const name = wordOrText("draft.field", field.replaceAll(".", "_"));
    return factId === null ? name : t("draft.use.fieldOf", { number: numberOf(factId), field: name });
  };
  const told = ["quote_not_found", "draft_invalid"];
  const others = weighed.unmet.filter(({ code }) => !told.includes(code));
  const lines = [
    ...weighed.facts.map(({ factId, kind }) =>
      t("draft.use.factWrong", { number: numberOf(factId), what: wordFor("draft.fault", kind) }),
    ),
    ...weighed.fields.map(({ factId, field, kind }) =>
      t("draft.use.fieldWrong", { place: placeOf(factId, field), what: wordFor("draft.wrong", kind) }),
    ),
  ];
  return (
    <div className="stack">
      <h3>{t("draft.use.cannot")}</h3>
      <UnmetList items={others} extra={lines} />
    </div>
  );
}
