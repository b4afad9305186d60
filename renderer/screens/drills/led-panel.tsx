import { Button } from "@mantine/core";
import { UserRoundCheck } from "lucide-react";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Empty, Panel } from "../../components/Panel";
import { type DrillQuestion, useDrills } from "../../stores/drills";
import { LedFacts } from "./led-facts";
import { LedRunbook } from "./led-runbook";
import { answerWords, choiceId, choiceWords } from "./led-words";

/** A drill that a person plays: what stands still and the ways out, above the runbook of the case and the facts of the moment. */
export function LedPanel({ run, question }: { run: string; question: DrillQuestion | null }) {
  const { t } = useTranslation();
  if (question === null)
    return (
      <Panel title={t("drills.led.title")}>
        <Empty>{t("drills.led.goesOn")}</Empty>
      </Panel>
    );
  return (
    <>
      <Asked key={question.number} run={run} question={question} />
      <div className="led-grid">
        <LedRunbook runbook={question.runbook} isFrozen={isFrozen(question)} />
        <LedFacts question={question} />
      </div>
    </>
  );
}

/** Who opened it is known where an incident is open, and only then does anything stand still. */
const isFrozen = ({ facts }: DrillQuestion): boolean => facts.some(({ name }) => name === "openedBy");

/** The question takes the focus, so that it is heard and Tab leads to the first way out; nothing is chosen by a stray key. */
function Asked({ run, question }: { run: string; question: DrillQuestion }) {
  const { t } = useTranslation();
  const reply = useDrills((state) => state.reply);
  const isAnswering = useDrills((state) => state.isAnswering);
  const asked = useRef<HTMLParagraphElement>(null);
  const { number, what, choices, last } = question;
  useEffect(() => asked.current?.focus(), []);
  return (
    <Panel
      title={t("drills.led.title")}
      className="attention tone-warn"
      actions={<span className="muted num">{t("drills.led.number", { number })}</span>}
    >
      <div className="stack">
        {last === null ? null : (
          <p role="status" className="muted">
            {last.answer === "other_case"
              ? t("drills.led.otherCase", { kind: choiceWords("classify", last.choice) })
              : last.answer === "right_case"
                ? t("drills.led.rightCase", { kind: choiceWords("classify", last.choice) })
                : t("drills.led.last", {
                    choice: choiceWords("decide", last.choice),
                    answer: answerWords(last.answer),
                  })}
          </p>
        )}
        <p ref={asked} tabIndex={-1} className="led-question row tight">
          <UserRoundCheck size={17} aria-hidden />
          <b>{t(`drills.led.ask.${what}`)}</b>
        </p>
        <ul className="led-choices" aria-label={t(`drills.led.ask.${what}`)}>
          {choices.map((choice) => (
            <li key={choiceId(choice)}>
              <Button
                data-disabled={isAnswering || undefined}
                aria-disabled={isAnswering}
                onClick={() => void reply({ run, number, choice: choiceId(choice) })}
              >
                {choiceWords(what, choice)}
              </Button>
            </li>
          ))}
        </ul>
      </div>
    </Panel>
  );
}
