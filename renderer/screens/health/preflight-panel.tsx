import { Button } from "@mantine/core";
import { CircleCheck, CircleDashed, Hand } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Moment } from "../../components/Moments";
import { Panel } from "../../components/Panel";
import { Mark } from "../../components/StateBadge";
import { formatNumber } from "../../format";
import type { HealthView } from "../../stores/health";
import { type Place, useNav } from "../../stores/nav";
import { wordFor } from "../../words";
import { NewAction } from "./new-action/new-action";

type Pipeline = HealthView["preflight"][number];
type Answer = Pipeline["answers"][number];
type Proof = Answer["proofs"][number];

/** The nine questions before a pipeline may run by itself: answered with yes only beside what proves it. */
export function PreflightPanel({ preflight }: { preflight: HealthView["preflight"] }) {
  const { t } = useTranslation();
  return (
    <Panel title={t("health.preflight.title")}>
      <div className="stack">
        <p className="small muted">{t("health.preflight.means")}</p>
        {preflight.map((pipeline) => (
          <Questions key={pipeline.pipeline} pipeline={pipeline} />
        ))}
        <NewAction />
      </div>
    </Panel>
  );
}

function Questions({ pipeline: { pipeline, version, verdict, answers } }: { pipeline: Pipeline }) {
  const { t } = useTranslation();
  return (
    <div className="stack tight">
      <b>{t("health.coverage.pipeline", { pipeline, version: formatNumber(version) })}</b>
      <Mark tone={verdict === "automatic" ? "ok" : "warn"} icon={verdict === "automatic" ? CircleCheck : Hand}>
        {t(`health.preflight.verdict.${verdict}`)}
      </Mark>
      <ol className="preflight">
        {answers.map((answer) => (
          <Question key={answer.question} pipeline={pipeline} answer={answer} />
        ))}
      </ol>
    </div>
  );
}

function Question({ pipeline, answer }: { pipeline: string; answer: Answer }) {
  const { t } = useTranslation();
  const { question, isProved, proofs, gaps } = answer;
  const asked = t(`health.preflight.question.${question}`);
  return (
    <li>
      <p>{asked}</p>
      <Mark tone={isProved ? "ok" : "warn"} icon={isProved ? CircleCheck : CircleDashed}>
        {t(isProved ? "health.preflight.proved" : "health.preflight.open")}
      </Mark>
      {gaps.map(({ code, names }) => (
        <p key={code} className="small wrap">
          {wordFor("health.preflight.gap", code)}
          {names.length === 0 ? null : <span className="mono"> {names.join(" · ")}</span>}
        </p>
      ))}
      {proofs.length === 0 ? null : (
        <div className="small muted proofs">
          {t("health.preflight.by")}
          {proofs.map((proof) => (
            <ProofWords key={JSON.stringify(proof)} proof={proof} />
          ))}
        </div>
      )}
      <ProofLink answer={answer} label={t("health.preflight.lookAt", { pipeline, question: asked })} />
    </li>
  );
}

function ProofWords({ proof }: { proof: Proof }) {
  if (proof.kind === "round") return <Moment at={proof.at} />;
  if (proof.kind === "task") return <span>{proof.edition}</span>;
  return <span className="mono">{"version" in proof ? `${proof.name} v${proof.version}` : proof.name}</span>;
}

/** Where whoever doubts an answer looks it up. */
const PLACES: Readonly<Record<Exclude<Answer["question"], "one_history">, Place>> = {
  keys_and_constraints: { screen: "audit" },
  conditional_updates: { screen: "audit" },
  retries_and_dead_letters: { screen: "recovery" },
  unknown_path: { screen: "drills" },
  next_day_round: { screen: "today" },
  runbooks: { screen: "incidents" },
  owners: { screen: "recovery" },
  verified_results: { screen: "audit" },
};

function ProofLink({ answer: { question, proofs }, label }: { answer: Answer; label: string }) {
  const { t } = useTranslation();
  const go = useNav((state) => state.go);
  const task = proofs.find((proof) => proof.kind === "task");
  const place: Place | null =
    question !== "one_history" ? PLACES[question] : task ? { screen: "run", taskId: task.taskId } : null;
  if (place === null) return null;
  return (
    <Button size="compact-xs" aria-label={label} onClick={() => go(place)}>
      {t("health.preflight.look")}
    </Button>
  );
}
