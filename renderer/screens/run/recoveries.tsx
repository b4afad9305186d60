import { Button } from "@mantine/core";
import { Eye, FastForward, History, type LucideIcon, Undo2 } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Panel } from "../../components/Panel";
import { UnmetList } from "../../components/UnmetList";
import { useNav } from "../../stores/nav";
import type { RunView } from "../../stores/run";
import { operationName } from "../../words";
import { NextVersion } from "./next-version";
import { hasEnded } from "./run-facts";
import { LookNow, needsEyes } from "./unknown-panel";

type Door = "reconcile" | "compensate" | "forward" | "rollback";

/** Reading and editing come before; from here on something of the edition may have to be recovered. */
const BEFORE = ["created", "collecting", "drafting", "checking", "awaiting_content_approval", "content_approved"];

/** The four recoveries as four doors, which are four different things; each leads where the program has it, or says why not. */
export function Recoveries({ run }: { run: RunView }) {
  const { t } = useTranslation();
  if (BEFORE.includes(run.state)) return null;
  return (
    <Panel title={t("compensation.recover.title")}>
      <div className="stack">
        <p className="muted">{t("compensation.recover.intro")}</p>
        <div className="doors">
          <OneDoor door="reconcile" icon={Eye}>
            <Reconcile run={run} />
          </OneDoor>
          <OneDoor door="compensate" icon={Undo2}>
            <Compensate run={run} />
          </OneDoor>
          <OneDoor door="forward" icon={FastForward}>
            <Forward run={run} />
          </OneDoor>
          <OneDoor door="rollback" icon={History}>
            <p className="muted">{t("compensation.recover.rollback.none")}</p>
          </OneDoor>
        </div>
      </div>
    </Panel>
  );
}

function OneDoor({ door, icon: Icon, children }: { door: Door; icon: LucideIcon; children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <section className="door stack tight" aria-label={t(`compensation.recover.${door}.title`)}>
      <h3 className="row tight">
        <Icon size={15} aria-hidden />
        {t(`compensation.recover.${door}.title`)}
      </h3>
      <p>{t(`compensation.recover.${door}.when`)}</p>
      <dl className="facts-of small">
        <dt>{t("compensation.recover.does")}</dt>
        <dd>{t(`compensation.recover.${door}.does`)}</dd>
        <dt>{t("compensation.recover.doesNot")}</dt>
        <dd>{t(`compensation.recover.${door}.doesNot`)}</dd>
      </dl>
      <div className="door-foot small stack tight">{children}</div>
    </section>
  );
}

function Reconcile({ run }: { run: RunView }) {
  const { t } = useTranslation();
  const open = run.operations.filter(needsEyes);
  if (open.length === 0) return <p className="muted">{t("compensation.recover.reconcile.none")}</p>;
  return open.map((operation) => (
    <div key={operation.id} className="row tight">
      <span>{operationName(operation.kind, operation.phase)}</span>
      <LookNow run={run} operation={operation} brief />
    </div>
  ));
}

function Compensate({ run }: { run: RunView }) {
  const { t } = useTranslation();
  const go = useNav((state) => state.go);
  const way = run.ways.find((one) => one.event === "CompensationStarted");
  const follows = run.state === "compensating" || run.state === "compensated";
  return (
    <>
      <div>
        <Button size="compact-sm" onClick={() => go({ screen: "compensation", taskId: run.taskId })}>
          {t(follows ? "compensation.recover.compensate.follow" : "compensation.recover.compensate.open")}
        </Button>
      </div>
      {way === undefined || way.open ? null : <UnmetList items={way.unmet} />}
    </>
  );
}

/** What may be edited in a state, by the screen that edits it. */
const EDITS: Readonly<Record<string, "draft" | "send">> = {
  blocked: "draft",
  published: "send",
  awaiting_send_approval: "send",
};

function Forward({ run }: { run: RunView }) {
  const { t } = useTranslation();
  const go = useNav((state) => state.go);
  if (hasEnded(run.state)) return <NextVersion run={run} />;
  const screen = EDITS[run.state];
  const isOut = run.operations.some((operation) => operation.kind === "publish" && operation.state !== "cancelled");
  // Content that has left is not edited under the same approval: only what was not mailed yet.
  if (screen === undefined || (screen === "draft" && isOut))
    return <p className="muted">{t("compensation.recover.forward.later")}</p>;
  return (
    <>
      <div>
        <Button size="compact-sm" onClick={() => go({ screen, taskId: run.taskId })}>
          {t(screen === "draft" ? "compensation.recover.forward.edit" : "compensation.recover.forward.editMail")}
        </Button>
      </div>
      {screen === "send" ? <p className="muted">{t("compensation.recover.forward.later")}</p> : null}
    </>
  );
}
