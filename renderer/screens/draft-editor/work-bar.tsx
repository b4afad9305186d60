import { Button } from "@mantine/core";
import { Redo2, Undo2 } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { UnmetList } from "../../components/UnmetList";
import { formatMoment } from "../../format";
import { useZone } from "../../stores/clock";
import { type DraftSession, useDraft } from "../../stores/draft";
import { changedParts, type DraftView, isSameDraft } from "../../stores/draft-content";
import { useNav } from "../../stores/nav";
import { UseDialog } from "./use-dialog";

/** Steps back and forth, how far the edit is kept, and the ways to end it. */
export function WorkBar({ view, session }: { view: DraftView; session: DraftSession }) {
  const { t } = useTranslation();
  const [isAsking, setAsking] = useState(false);
  const undo = useDraft((state) => state.undo);
  const redo = useDraft((state) => state.redo);
  const change = useDraft((state) => state.change);
  const keep = useDraft((state) => state.keep);
  const { past, present, future } = session.history;
  const changed = isSameDraft(session.from, present) ? [] : changedParts(session.from, present);
  // A step like any other, so that it can be undone; with nothing left of the edit its working copy is given up.
  const throwAway = () => {
    change(session.from);
    void keep();
  };
  return (
    <div className="tab-head sticky">
      <span className="row tight">
        <Button
          size="compact-xs"
          leftSection={<Undo2 size={13} aria-hidden />}
          title={t("draft.undoKey")}
          aria-disabled={past.length === 0}
          data-disabled={past.length === 0 || undefined}
          onClick={undo}
        >
          {t("draft.undo")}
        </Button>
        <Button
          size="compact-xs"
          leftSection={<Redo2 size={13} aria-hidden />}
          title={t("draft.redoKey")}
          aria-disabled={future.length === 0}
          data-disabled={future.length === 0 || undefined}
          onClick={redo}
        >
          {t("draft.redo")}
        </Button>
        <span className="small">
          {changed.length === 0 ? t("draft.untouched") : t("draft.changed", { count: changed.length })}{" "}
          <KeptAt session={session} />
        </span>
      </span>
      <span className="row tight">
        <Button disabled={changed.length === 0} onClick={throwAway}>
          {t("draft.unfinished.throwAway")}
        </Button>
        <Button variant="filled" disabled={changed.length === 0 || !view.canEdit} onClick={() => setAsking(true)}>
          {t("draft.use.open")}
        </Button>
      </span>
      <NotKept />
      {view.canEdit ? null : (
        <div className="small">
          <span className="muted">{t("draft.cannotNow")}</span>
          <UnmetList items={view.unmet} />
        </div>
      )}
      {isAsking ? <UseDialog view={view} session={session} close={() => setAsking(false)} /> : null}
    </div>
  );
}

function KeptAt({ session }: { session: DraftSession }) {
  const { t } = useTranslation();
  const zone = useZone();
  if (session.history.present !== session.kept) return <span className="muted">{t("draft.keeping")}</span>;
  if (session.keptAt === null) return null;
  return <span className="muted">{t("draft.keptAt", { at: formatMoment(session.keptAt, zone, "time") })}</span>;
}

/** A working copy that could not be written: said at once, with a way to try again. */
function NotKept() {
  const { t } = useTranslation();
  const problem = useDraft((state) => state.problem);
  const keep = useDraft((state) => state.keep);
  const setGuard = useNav((state) => state.setGuard);
  const isLosing = problem !== null;
  useEffect(() => {
    setGuard(isLosing ? () => true : null);
    return () => setGuard(null);
  }, [isLosing, setGuard]);
  if (problem === null) return null;
  return (
    <div className="small stack tight" role="alert">
      <span className="tone-bad-text">{t("draft.notKept")}</span>
      {problem.kind === "refused" ? (
        <UnmetList items={problem.unmet} />
      ) : (
        <span className="mono">{problem.detail}</span>
      )}
      <span>
        <Button size="compact-xs" onClick={() => void keep()}>
          {t("draft.keepAgain")}
        </Button>
      </span>
    </div>
  );
}
