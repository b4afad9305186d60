import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Answer } from "../stores/answer";
import { refreshShown } from "../stores/refresh";
import { ProblemNotice } from "./Notices";
import { Empty } from "./Panel";

/** Shows an answer once there is one; says plainly when there is none, none yet, or one that could not be used. */
export function AnswerGate<T>({
  answer,
  empty,
  children,
}: {
  answer: Answer<T | null>;
  empty: string;
  children: (value: T) => ReactNode;
}) {
  const { t } = useTranslation();
  return (
    <>
      {answer.problem ? <ProblemNotice problem={answer.problem} again={() => void refreshShown()} /> : null}
      {answer.value !== null ? children(answer.value) : null}
      {answer.value === null && answer.settled ? (
        <section className="panel">
          <Empty>{empty}</Empty>
        </section>
      ) : null}
      {answer.value === null && !answer.settled && answer.loading ? <p className="muted">{t("loading")}</p> : null}
    </>
  );
}
