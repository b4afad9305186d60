import { type ReactNode, useId } from "react";
import { useTranslation } from "react-i18next";
import { useNav } from "../stores/nav";
import { ScreenHeading } from "./ScreenHeading";
import { StateBadge } from "./StateBadge";

/** The head of every screen about an edition: its name and state, and the ways to its other screens. */
export function TaskHead({
  screen,
  taskId,
  edition,
  state,
  children,
}: {
  screen: "run" | "draft" | "content" | "send" | "compensation";
  taskId: string;
  edition: string;
  state: string | null;
  children?: ReactNode;
}) {
  const { t } = useTranslation();
  const go = useNav((nav) => nav.go);
  const stateId = useId();
  return (
    <header className="head">
      <div className="row">
        <ScreenHeading describedBy={state === null ? undefined : stateId}>
          {t(`${screen}.title`, { edition })}
        </ScreenHeading>
        {state === null ? null : (
          <span id={stateId}>
            <StateBadge state={state} />
          </span>
        )}
        {children}
      </div>
      <nav className="segments" aria-label={t("nav.task", { edition })}>
        {(["run", "draft", "content", "send", "compensation"] as const).map((one) => (
          <button
            key={one}
            type="button"
            aria-current={one === screen ? "page" : undefined}
            onClick={() => go({ screen: one, taskId })}
          >
            {t(`nav.${one}`)}
          </button>
        ))}
      </nav>
    </header>
  );
}
