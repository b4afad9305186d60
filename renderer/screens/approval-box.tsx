import { Button } from "@mantine/core";
import { CircleCheck, CircleSlash } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ask } from "../bridge";
import { ConfirmDialog } from "../components/ConfirmDialog";
import { Countdown, Moment } from "../components/Moments";
import { Mark } from "../components/StateBadge";
import { useCommands } from "../stores/commands";
import type { ApprovalView, RunView } from "../stores/run";
import { actorWord, wordFor } from "../words";

type Effect = "nothingOut" | "out" | "settled" | "unknown";

/** Where a revocation still changes or records something; before and after, an approval simply lies in the journal. */
const REVOCABLE_IN = { publish: ["content_approved", "publishing"], send: ["sending"] } as const;

/** An approval as it stands: who, when, until when, on which clock; a living one can be revoked where that means something. */
export function ApprovalBox({ taskId, state, approval }: { taskId: string; state: string; approval: ApprovalView }) {
  const { t } = useTranslation();
  const [effect, setEffect] = useState<Effect | null>(null);
  const living = approval.state === "living";
  const ask = async () => setEffect(await effectNow(taskId, approval.scope));
  return (
    <section className="approval stack tight" aria-label={wordFor("scope", approval.scope)}>
      <div className="row spread">
        <Mark tone={living ? "ok" : "neutral"} icon={living ? CircleCheck : CircleSlash}>
          {wordFor("approvalState", approval.state)}
        </Mark>
        {living ? <Countdown until={approval.expiresAt} /> : null}
      </div>
      <p className="small">{t("content.decision.approvedBy", { approver: actorWord(approval.approver) })}</p>
      <dl className="facts-of small">
        <dt>{t("content.decision.issued")}</dt>
        <dd>
          <Moment at={approval.issuedAt} />
        </dd>
        <dt>{t("content.decision.until")}</dt>
        <dd>
          <Moment at={approval.expiresAt} />
        </dd>
        <dt>{t("content.decision.timeSource")}</dt>
        <dd>{approval.timeSource}</dd>
        <dt>{t("content.decision.signature")}</dt>
        <dd className={approval.signature === "wrong" ? "notice tone-warn" : ""}>
          {t(`content.decision.signed.${approval.signature}`, { fingerprint: approval.signedBy })}
        </dd>
      </dl>
      {living && REVOCABLE_IN[approval.scope].some((one) => one === state) ? (
        <div>
          <Button size="compact-xs" onClick={() => void ask()}>
            {t("content.decision.revoke")}
          </Button>
        </div>
      ) : null}
      <RevokeDialog taskId={taskId} approval={approval} effect={effect} close={() => setEffect(null)} />
    </section>
  );
}

function RevokeDialog({
  taskId,
  approval,
  effect,
  close,
}: {
  taskId: string;
  approval: ApprovalView;
  effect: Effect | null;
  close: () => void;
}) {
  const { t } = useTranslation();
  const busy = useCommands((state) => state.busy["approval.revoke"] === true);
  const send = useCommands((state) => state.send);
  const revoke = async (reason: string) => {
    await send("approval.revoke", { taskId, approvalId: approval.id, reason }, t("content.decision.revokeLabel"));
    close();
  };
  const words = approval.scope === "send" ? "send" : "content.decision";
  return (
    <ConfirmDialog
      opened={effect !== null}
      title={t(approval.scope === "send" ? "send.revokeTitle" : "content.decision.revokeTitle")}
      confirmLabel={t("content.decision.revokeConfirm")}
      busy={busy}
      reasonLabel={t("dialog.reason")}
      onCancel={close}
      onConfirm={(reason) => void revoke(reason)}
    >
      <p>{effect === null ? null : t(`${words}.revokeEffect.${effect}`)}</p>
    </ConfirmDialog>
  );
}

/** What revoking would do at this moment, read from the journal when the question is asked and not when the page was drawn. */
async function effectNow(taskId: string, scope: ApprovalView["scope"]): Promise<Effect> {
  const reply = await ask("run.get", { taskId });
  if (!reply.ok || reply.value === null) return "unknown";
  return effectOf(reply.value, scope);
}

const LEFT = ["request_sent", "unknown", "conflict", "locked", "confirmed"];

/** Nothing has left, something has, or all that was allowed is settled. */
export function effectOf(run: Pick<RunView, "operations">, scope: ApprovalView["scope"]): Effect {
  const mine = run.operations.filter((operation) =>
    scope === "send" ? operation.kind !== "publish" : operation.kind === "publish",
  );
  // By state, not by whether a request was ever sent: one that was proven not to have arrived is not out there.
  if (!mine.some((operation) => LEFT.includes(operation.state))) return "nothingOut";
  return mine.every((operation) => ["confirmed", "rejected", "cancelled"].includes(operation.state))
    ? "settled"
    : "out";
}
