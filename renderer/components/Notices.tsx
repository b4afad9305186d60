import { Button } from "@mantine/core";
import { CircleCheck, OctagonAlert, ShieldQuestion, Unplug } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { BridgeProblem } from "../bridge";
import { type Outcome, useCommands } from "../stores/commands";
import { wordFor } from "../words";
import { CopyLine } from "./HashChip";
import { UnmetList } from "./UnmetList";

/** What came of the last command, in place and until dismissed: a refusal lists every unmet condition. */
export function OutcomeNotice() {
  const { t } = useTranslation();
  const outcome = useCommands((state) => state.outcome);
  const dismiss = useCommands((state) => state.dismiss);
  if (!outcome) return null;
  const look = {
    applied: { tone: "ok", icon: CircleCheck },
    refused: { tone: "warn", icon: OctagonAlert },
    lost: { tone: "unknown", icon: ShieldQuestion },
  }[outcome.kind];
  const Icon = look.icon;
  return (
    <div className={`notice tone-${look.tone}`} role={outcome.kind === "applied" ? undefined : "alert"}>
      <Icon size={16} aria-hidden />
      <div className="grow stack tight">
        <OutcomeText outcome={outcome} />
      </div>
      <Button size="compact-xs" onClick={dismiss}>
        {t("notice.dismiss")}
      </Button>
    </div>
  );
}

function OutcomeText({ outcome }: { outcome: Outcome }) {
  const { t } = useTranslation();
  const { what } = outcome;
  // What concerns no edition leaves none in a state.
  if (outcome.kind === "applied" && outcome.state === "") return <p>{t("notice.appliedPlain", { what })}</p>;
  if (outcome.kind === "applied") return <p>{t("notice.applied", { what, state: wordFor("state", outcome.state) })}</p>;
  if (outcome.kind === "lost") {
    return (
      <>
        <p>{t("notice.lost", { what })}</p>
        <Technical detail={outcome.problem.detail} />
      </>
    );
  }
  const { reply } = outcome;
  if (reply.result === "unavailable") {
    return (
      <>
        <p>{t("notice.unavailable", { what, code: reply.code })}</p>
        {reply.path === null ? null : <CopyLine value={reply.path} what={t("problem.file")} />}
      </>
    );
  }
  return (
    <>
      <p>{t(`notice.${reply.result}`, { what })}</p>
      {reply.unmet.length > 0 ? <UnmetList items={reply.unmet} /> : null}
    </>
  );
}

/** An answer of the main process that could not be used: said where the answer would stand, with a way to ask again. */
export function ProblemNotice({ problem, again }: { problem: BridgeProblem; again: () => void }) {
  const { t } = useTranslation();
  return (
    <div className="notice tone-bad" role="alert">
      <Unplug size={16} aria-hidden />
      <div className="grow stack tight">
        <p>
          <b>{t("notice.problemTitle")}</b>
        </p>
        <p>{t(problem.kind === "malformed" ? "notice.malformed" : "notice.rejected", { channel: problem.channel })}</p>
        <Technical detail={problem.detail} />
      </div>
      <Button size="compact-xs" onClick={again}>
        {t("notice.again")}
      </Button>
    </div>
  );
}

function Technical({ detail }: { detail: string }) {
  const { t } = useTranslation();
  return (
    <details>
      <summary>{t("notice.technical")}</summary>
      <pre className="mono small wrap" style={{ whiteSpace: "pre-wrap", margin: "4px 0 0" }}>
        {detail}
      </pre>
    </details>
  );
}
