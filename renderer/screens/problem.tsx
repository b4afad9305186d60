import { Button } from "@mantine/core";
import { FolderOpen, OctagonAlert, RefreshCw } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Output } from "../../preload/contract";
import { CopyLine } from "../components/HashChip";
import { ScreenHeading } from "../components/ScreenHeading";
import { LookTools } from "../components/TopBar";
import { useApp } from "../stores/app";

type Code = NonNullable<Output<"app.bootstrap">["problem"]>["code"];

/** A start-up failure has a page of its own: what, which file, what can be done. `bridge`: the core did not even answer. */
export function ProblemPage({ problem }: { problem: { code: Code | "bridge"; path: string | null; detail: string } }) {
  const { t } = useTranslation();
  const busy = useApp((state) => state.busy);
  const retryOpen = useApp((state) => state.retryOpen);
  const showFolder = useApp((state) => state.showFolder);
  const steps = Object.values(t(`problem.steps.${problem.code}`, { returnObjects: true }) as Record<string, string>);
  return (
    <main className="plain-page problem-page">
      <div className="row spread">
        <p className="brand">{t("appName")}</p>
        <span className="row tight">
          <LookTools />
        </span>
      </div>
      <div className="row tone-bad">
        <OctagonAlert size={22} aria-hidden style={{ color: "var(--tone)" }} />
        <ScreenHeading>{t(`problem.title.${problem.code}`)}</ScreenHeading>
      </div>
      <p className="muted lead">{t("problem.lead")}</p>
      <section className="panel problem-body">
        {problem.path ? (
          <dl className="facts-of">
            <dt>{t("problem.file")}</dt>
            <dd>
              <CopyLine value={problem.path} what={t("problem.file")} />
            </dd>
          </dl>
        ) : null}
        <h2>{t("problem.what")}</h2>
        <ol className="steps">
          {steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
        <div className="row">
          <Button
            variant="filled"
            leftSection={<RefreshCw size={14} aria-hidden />}
            loading={busy === "retrying"}
            onClick={() => void retryOpen()}
          >
            {t("problem.retry")}
          </Button>
          {problem.path ? (
            <Button leftSection={<FolderOpen size={14} aria-hidden />} onClick={() => void showFolder()}>
              {t("problem.folder")}
            </Button>
          ) : null}
        </div>
        <details>
          <summary>{t("problem.detail")}</summary>
          <pre className="mono small wrap">{problem.detail}</pre>
        </details>
      </section>
    </main>
  );
}
