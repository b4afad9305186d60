import { Button } from "@mantine/core";
import { Link, Unlink } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useLink } from "../stores/link";

/** What came of a link. What a strange one said is not shown: nobody knows who wrote it. */
export function LinkNotice() {
  const { t } = useTranslation();
  const said = useLink((state) => state.said);
  const dismiss = useLink((state) => state.dismiss);
  if (said === null) return null;
  const isWell = said === "copied";
  const Icon = isWell ? Link : Unlink;
  return (
    <div className={`notice tone-${isWell ? "ok" : "warn"}`} role={isWell ? "status" : "alert"}>
      <Icon size={16} aria-hidden />
      <p className="grow">{t(`notice.link.${said}`)}</p>
      <Button size="compact-xs" onClick={dismiss}>
        {t("notice.dismiss")}
      </Button>
    </div>
  );
}
