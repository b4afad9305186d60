import { Bell } from "lucide-react";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { formatNumber } from "../format";
import { useAlerts, useOpenAlerts } from "../stores/alerts";
import { useNav } from "../stores/nav";

/** The way into the inbox, with how many alerts nobody has acknowledged. */
export function AlertBell() {
  const { t } = useTranslation();
  const count = useOpenAlerts();
  const here = useNav((state) => state.place.screen === "alerts");
  const go = useNav((state) => state.go);
  useEffect(() => {
    void useAlerts.getState().load();
  }, []);
  const label = t("alerts.bell", { count });
  return (
    <button
      type="button"
      className={count > 0 ? "tool bell ringing" : "tool bell"}
      aria-label={label}
      title={label}
      aria-current={here ? "page" : undefined}
      onClick={() => go({ screen: "alerts" })}
    >
      <Bell size={14} aria-hidden />
      {count > 0 ? (
        <span className="num" aria-hidden>
          {formatNumber(count)}
        </span>
      ) : null}
    </button>
  );
}
