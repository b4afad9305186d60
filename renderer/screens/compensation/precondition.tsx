import { Button } from "@mantine/core";
import type { TFunction } from "i18next";
import { Radar } from "lucide-react";
import { useTranslation } from "react-i18next";
import { HashChip } from "../../components/HashChip";
import { Ago } from "../../components/Moments";
import { type Asked, type UndoEntry, type UndoLook, useCompensation } from "../../stores/compensation";
import { wordOrText } from "../../words";

type Told = Pick<UndoLook, "at" | "kind" | "code" | "seen">;

/** What the remote answered about the precondition: on record, or just now because a person asked. */
export function Precondition({ entry }: { entry: UndoEntry }) {
  const { t } = useTranslation();
  const asked = useCompensation((state) => state.asked[entry.id]);
  const look = useCompensation((state) => state.look);
  if (!entry.steps.some((step) => step.kind === "call")) return null;
  const told: Told | null = asked?.kind === "told" ? newest(asked.look, entry.answer) : entry.answer;
  return (
    <section className="stack tight">
      <h4 className="row spread">
        {t("compensation.answer.title")}
        {told === null ? null : <Ago at={told.at} checked />}
      </h4>
      <div className="stack tight" role="status">
        {told === null ? <p className="muted">{t("compensation.answer.never")}</p> : <Answer told={told} />}
        <Trouble asked={asked} />
      </div>
      {entry.canLook ? (
        <div className="row">
          <Button
            size="compact-sm"
            leftSection={<Radar size={14} aria-hidden />}
            loading={asked?.kind === "asking"}
            onClick={() => void look(entry.id)}
          >
            {t("compensation.answer.ask")}
          </Button>
          <span className="muted small">{t("compensation.answer.asks")}</span>
        </div>
      ) : null}
    </section>
  );
}

const newest = (look: Told, onRecord: Told | null): Told =>
  onRecord !== null && onRecord.at > look.at ? onRecord : look;

function Trouble({ asked }: { asked: Asked | undefined }) {
  const { t } = useTranslation();
  if (asked?.kind === "lost") return <p>{t("compensation.answer.lost")}</p>;
  return asked?.kind === "not_now" ? <p className="muted">{t("compensation.answer.notNow")}</p> : null;
}

function Answer({ told }: { told: Told }) {
  const { t } = useTranslation();
  const { contentHash, expected } = told.seen;
  return (
    <>
      <p>
        <b>{sentence(told, t)}</b>
        {told.code === null || told.kind !== "failed" ? null : (
          <span className="muted"> {wordOrText("compensation.code", told.code)}</span>
        )}
      </p>
      {contentHash === null ? null : (
        <p className="row tight small">
          <span className="muted">{t("compensation.answer.there")}</span>
          <HashChip hash={contentHash} of="content" />
          {expected === null ? null : (
            <>
              <span className="muted">{t("compensation.answer.ours")}</span>
              <HashChip hash={expected} of="content" />
            </>
          )}
        </p>
      )}
    </>
  );
}

function sentence({ kind, seen }: Told, t: TFunction): string {
  const { revision } = seen;
  // Not public any more: nobody's newer work, but nothing of ours either.
  if (kind === "changed" && seen.remote !== "published") return t("compensation.answer.gone");
  if (revision === null) return t(`compensation.answer.${kind}`);
  if (kind === "holds") return t("compensation.answer.holdsRevision", { revision });
  return kind === "changed" ? t("compensation.answer.changedRevision", { revision }) : t(`compensation.answer.${kind}`);
}
