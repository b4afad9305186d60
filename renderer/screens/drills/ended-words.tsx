import i18next from "i18next";
import { useTranslation } from "react-i18next";
import { formatDuration } from "../../format";
import { type DrillResult, useDrills } from "../../stores/drills";
import { hasWord, wordFor } from "../../words";

type Limits = Pick<NonNullable<ReturnType<typeof useDrills.getState>["answer"]["value"]>, "limitMs" | "ledLimitMs">;
const NO_LIMITS: Limits = { limitMs: 0, ledLimitMs: 0 };

/** What a drill came to, as one sentence. */
function endedText({ scenario: id, outcome, facts, led }: DrillResult, limits: Limits): string {
  const t = i18next.t;
  const limitMs = led === null ? limits.limitMs : limits.ledLimitMs;
  if (outcome === "over_time") return t("drills.ended.over_time", { id, limit: formatDuration(limitMs) });
  if (outcome !== "played" || facts === null)
    return t(outcome === "cancelled" ? "drills.ended.cancelled" : "drills.ended.failed", { id });
  const { length: count } = facts.violations;
  const held = count === 0 ? t("drills.facts.held") : t("drills.facts.violated", { count });
  return t("drills.ended.played", { id, state: wordFor("state", facts.state), held });
}

/** Says aloud what begins and what came of it, for whoever does not see the marks change. */
export function Announcement() {
  const { t } = useTranslation();
  const running = useDrills((state) => state.answer.value?.running ?? null);
  const ended = useDrills((state) => state.ended);
  const limits = useDrills((state) => state.answer.value ?? NO_LIMITS);
  const said = ended === null ? "" : endedText(ended, limits);
  return (
    <p className="visually-hidden" role="status" aria-live="polite">
      {said} {running === null ? "" : t("drills.running", { id: running.scenario })}
    </p>
  );
}

/** Why there is nothing to show of a drill, with what its program said of itself. */
export function EndedNotice({ result }: { result: DrillResult }) {
  const { t } = useTranslation();
  const limits = useDrills((state) => state.answer.value ?? NO_LIMITS);
  const { detail } = result;
  const code = detail?.split(" ")[0] ?? "";
  return (
    <div className={`notice tone-${result.outcome === "cancelled" ? "neutral" : "warn"}`}>
      <div className="grow stack tight">
        <p>{endedText(result, limits)}</p>
        {hasWord("drills.why", code) ? <p>{wordFor("drills.why", code)}</p> : null}
        {detail === null ? null : (
          <details>
            <summary>{t("notice.technical")}</summary>
            <pre className="mono small wrap">{detail}</pre>
          </details>
        )}
      </div>
    </div>
  );
}
