import { ChevronRight, Dumbbell } from "lucide-react";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { Moment } from "../../components/Moments";
import { type DrillDuty, useDrills } from "../../stores/drills";
import { useNav } from "../../stores/nav";

/** A drill that is past its time, or whose newest play failed. No edition is theirs, so they stand after what waits for one. */
interface OwedDrill {
  why: "overdue" | "failed";
  /** Null where it is about the scenario alone. */
  duty: DrillDuty["name"] | null;
  scenario: string;
  at: number;
}

/** The drills that wait for somebody; asked for when Today is opened, and followed from then on. */
export function useDrillsWaiting(): OwedDrill[] {
  const value = useDrills((state) => state.answer.value);
  const load = useDrills((state) => state.load);
  useEffect(() => void load(), [load]);
  if (value === null) return [];
  const overdue = value.duties.filter(({ standing }) => standing === "overdue");
  return [
    ...value.failed.map(({ scenario, at }) => ({ why: "failed" as const, duty: null, scenario, at })),
    ...overdue.map(({ name, next, dueAt }) => ({ why: "overdue" as const, duty: name, scenario: next, at: dueAt })),
  ];
}

/** Opens the drills at the scenario that is to be played. */
export function WaitingDrill({ drill: { why, duty, scenario, at } }: { drill: OwedDrill }) {
  const { t } = useTranslation();
  const go = useNav((state) => state.go);
  const choose = useDrills((state) => state.choose);
  const open = () => {
    choose(scenario);
    go({ screen: "drills" });
  };
  return (
    <button type="button" data-row className="rowbutton waiting-row tone-warn" onClick={open}>
      <Dumbbell size={20} aria-hidden className="lead" />
      <span className="grow stack tight">
        <b className="kind">{t(`drills.waits.${why}`)}</b>
        <span>{duty === null ? scenario : t(`drills.duty.name.${duty}`)}</span>
        <span className="muted">{t("drills.waits.next", { id: scenario })}</span>
      </span>
      <span className="until small muted">
        <Moment at={at} />
      </span>
      <ChevronRight size={16} aria-hidden className="muted" />
    </button>
  );
}
