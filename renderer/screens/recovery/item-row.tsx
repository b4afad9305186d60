import { AlarmClockOff, ChevronRight, CircleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Ago, Countdown, Moment } from "../../components/Moments";
import { Mark } from "../../components/StateBadge";
import { useNav } from "../../stores/nav";
import type { RecoveryItemView } from "../../stores/recovery";
import { wordFor } from "../../words";
import { aboutOf, ownersOf } from "./item-words";

const isDone = ({ stage }: RecoveryItemView): boolean => stage === "closed" || stage === "reviewed";

/** One item: what it is about, whose it is, how old, until when. */
export function ItemRow({ item }: { item: RecoveryItemView }) {
  const { t } = useTranslation();
  const go = useNav((state) => state.go);
  const [owner, backup] = ownersOf(item);
  return (
    <button
      type="button"
      data-row
      className={`rowbutton recovery-row tone-${item.escalation === null ? "neutral" : "bad"}`}
      onClick={() => go({ screen: "recovery", itemId: item.id })}
    >
      <span className="stack tight">
        <span className="row tight">
          <b>{wordFor("recovery.kind", item.kind)}</b>
          <span className="num edition">{item.edition}</span>
          <Escalation item={item} />
        </span>
        <span className="wrap">{aboutOf(item)}</span>
      </span>
      <span className="stack tight small">
        <span>{owner}</span>
        <span className="muted">{t("recovery.backup", { name: backup })}</span>
      </span>
      <span className="stack tight small due">
        {isDone(item) ? (
          <span className="muted">{item.stageAt === null ? null : <Moment at={item.stageAt} />}</span>
        ) : (
          <>
            <Countdown until={item.dueAt} />
            <span className="muted">
              <Ago at={item.createdAt} />
            </span>
          </>
        )}
      </span>
      <ChevronRight size={16} aria-hidden className="muted" />
    </button>
  );
}

/** How an item presses, where it does. */
export function Escalation({ item }: { item: RecoveryItemView }) {
  const { t } = useTranslation();
  if (item.escalation === null) return null;
  const icon = item.escalation === "untouched" ? AlarmClockOff : CircleAlert;
  return (
    <Mark tone="bad" icon={icon}>
      {t(`recovery.escalation.${item.escalation}`)}
    </Mark>
  );
}
