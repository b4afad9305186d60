import { Button } from "@mantine/core";
import { ClipboardCheck, RotateCcw } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Panel } from "../../components/Panel";
import { Mark } from "../../components/StateBadge";
import { useNav } from "../../stores/nav";
import type { RecoveryPatternView, RecoveryView } from "../../stores/recovery";
import { causeWords } from "./item-words";

/** What came more than once: how often, whether a review is owed, and the rule that is proposed. */
export function Patterns({ board }: { board: RecoveryView }) {
  const { t } = useTranslation();
  return (
    <Panel title={t("recovery.patterns.title")} flush>
      {board.patterns.length === 0 ? <p className="empty">{t("recovery.patterns.none")}</p> : null}
      <ul className="rows" aria-label={t("recovery.patterns.title")}>
        {board.patterns.map((pattern) => (
          <li key={pattern.fingerprint} className="recovery-pattern stack tight">
            <b className="wrap">{causeWords(pattern)}</b>
            <span className="num muted small">
              {t("recovery.patterns.times", { week: pattern.lastWeek, month: pattern.lastMonth })}
            </span>
            <PatternDuties pattern={pattern} />
            <OpenNewest board={board} pattern={pattern} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** What the rules ask for because it recurs. */
export function PatternDuties({ pattern }: { pattern: RecoveryPatternView }) {
  const { t } = useTranslation();
  const { review, automation } = pattern;
  return (
    <>
      {review === "none" ? null : (
        <Mark tone="warn" icon={review === "due" ? ClipboardCheck : RotateCcw}>
          {t(`recovery.patterns.${review}`)}
        </Mark>
      )}
      {automation === null ? null : (
        <p className="recovery-rule">
          {t("recovery.patterns.rule", {
            cause: causeWords(pattern),
            method: automation.method,
            times: automation.times,
          })}
        </p>
      )}
    </>
  );
}

function OpenNewest({ board, pattern }: { board: RecoveryView; pattern: RecoveryPatternView }) {
  const { t } = useTranslation();
  const go = useNav((state) => state.go);
  const newest = pattern.itemIds.filter((id) => board.items.some((item) => item.id === id)).at(-1);
  if (newest === undefined) return null;
  return (
    <Button size="compact-xs" className="start" onClick={() => go({ screen: "recovery", itemId: newest })}>
      {t("recovery.patterns.open")}
    </Button>
  );
}
