import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useCopy } from "../../components/copy-text";
import { Panel } from "../../components/Panel";
import type { IncidentView } from "../../stores/incidents";
import type { BothLanguages } from "./said-in";

/** What may be told to customers, in both languages, with live facts: to be copied. Nothing here is ever sent. */
export function Drafts({ incident }: { incident: IncidentView }) {
  const { t } = useTranslation();
  const { customerNote, correction } = incident.runbook.drafts;
  return (
    <Panel title={t("incident.drafts.title")}>
      <div className="stack">
        <p className="muted small">{t("incident.drafts.lead")}</p>
        <Draft what={t("incident.drafts.customerNote")} words={customerNote} />
        <Draft what={t("incident.drafts.correction")} words={correction} />
      </div>
    </Panel>
  );
}

function Draft({ what, words }: { what: string; words: BothLanguages }) {
  const { t } = useTranslation();
  return (
    <section className="stack tight">
      <h3>{what}</h3>
      <Text lang="zh-CN" language={t("incident.drafts.zh")} what={what} text={words["zh-CN"]} />
      <Text lang="en" language={t("incident.drafts.en")} what={what} text={words.en} />
    </section>
  );
}

function Text({ lang, language, what, text }: { lang: string; language: string; what: string; text: string }) {
  const { t } = useTranslation();
  const { said, copy } = useCopy();
  const label = t("incident.drafts.copy", { what, language });
  return (
    <div className="incident-draft">
      <p lang={lang} className="wrap">
        {text}
      </p>
      <Button size="compact-xs" aria-label={label} onClick={() => copy(text)}>
        {said === "copied" ? t("copy.done") : said === "failed" ? t("copy.failed") : language}
      </Button>
    </div>
  );
}
