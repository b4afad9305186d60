import { useTranslation } from "react-i18next";
import { useCommands } from "../stores/commands";
import { wordFor } from "../words";

/** Says aloud what came of a command, for whoever does not see the notice. Refusals and lost answers are alerts of their own. */
export function LiveRegion() {
  const { t } = useTranslation();
  const outcome = useCommands((state) => state.outcome);
  const count = useCommands((state) => state.count);
  const text =
    outcome?.kind === "applied"
      ? t("notice.applied", { what: outcome.what, state: wordFor("state", outcome.state) })
      : "";
  return (
    <p className="visually-hidden" role="status" aria-live="polite">
      {/* A new key makes the same sentence a new one. */}
      <span key={count}>{text}</span>
    </p>
  );
}
