import {
  Ban,
  CircleCheck,
  CircleDashed,
  CircleDot,
  CircleX,
  OctagonAlert,
  ShieldAlert,
  Timer,
  UserRoundX,
} from "lucide-react";
import { useTranslation } from "react-i18next";
import { Mark } from "../../components/StateBadge";
import type { DrillResult } from "../../stores/drills";

const LOOK = {
  running: { tone: "info", icon: CircleDot },
  waiting: { tone: "neutral", icon: CircleDashed },
  held: { tone: "ok", icon: CircleCheck },
  broken: { tone: "bad", icon: ShieldAlert },
  wrong: { tone: "bad", icon: CircleX },
  not_alone: { tone: "bad", icon: UserRoundX },
  cancelled: { tone: "neutral", icon: Ban },
  over_time: { tone: "warn", icon: Timer },
  failed: { tone: "bad", icon: OctagonAlert },
} as const;

/** What a drill came to in one word: whether the invariants held, or why that is not known. */
export function verdictOf(result: DrillResult): keyof typeof LOOK {
  if (result.outcome !== "played") return result.outcome;
  if (result.facts?.violations.length !== 0) return "broken";
  if (result.led?.decisions.some(({ isRight }) => !isRight)) return "wrong";
  return result.runbook?.alone === false ? "not_alone" : "held";
}

/** Whether the invariants held, in as many words. */
export function InvariantsMark({ violations }: { violations: number }) {
  const { t } = useTranslation();
  const { tone, icon } = LOOK[violations === 0 ? "held" : "broken"];
  return (
    <Mark tone={tone} icon={icon}>
      {violations === 0 ? t("drills.allHeld") : t("drills.facts.violated", { count: violations })}
    </Mark>
  );
}

/** A drill's present standing: word, shape and colour together. */
export function DrillMark({ standing }: { standing: keyof typeof LOOK }) {
  const { t } = useTranslation();
  const { tone, icon } = LOOK[standing];
  return (
    <Mark tone={tone} icon={icon}>
      {t(`drills.mark.${standing}`)}
    </Mark>
  );
}
