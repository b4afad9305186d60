import { Button } from "@mantine/core";
import { ArrowLeft, ArrowRight, FilePlus2 } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Dialog } from "../../../components/Dialog";
import { lackingOn, PAGES, useNewAction } from "../../../stores/new-action";
import { QuestionPage } from "./question-page";
import { ResultPage } from "./result-page";
import { WhatPage } from "./what-page";

/** Asks the five questions about a new external action, one page each, and says what stays a person's (domain section 13). */
export function NewAction() {
  const { t } = useTranslation();
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button
        size="compact-sm"
        className="start"
        leftSection={<FilePlus2 size={14} aria-hidden />}
        onClick={() => setOpened(true)}
      >
        {t("newAction.open")}
      </Button>
      <Dialog opened={opened} high title={t("newAction.title")} easyToLeave onClose={() => setOpened(false)}>
        <Pages onClose={() => setOpened(false)} />
      </Dialog>
    </>
  );
}

function Pages({ onClose }: { onClose(): void }) {
  const { t } = useTranslation();
  const number = useNewAction((state) => state.page);
  const page = PAGES[number] ?? "what";
  const heading = useRef<HTMLHeadingElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each page that is turned to is read from its heading on
  useEffect(() => heading.current?.focus(), [number]);
  return (
    <div className="stack wide">
      <h3 ref={heading} tabIndex={-1} data-autofocus>
        <span className="muted num">{t("newAction.page", { page: number + 1, of: PAGES.length })}</span>{" "}
        {t(`newAction.${page}.title`)}
      </h3>
      <p>{t(`newAction.${page}.lead`)}</p>
      {page === "what" ? <WhatPage /> : page === "result" ? <ResultPage /> : <QuestionPage question={page} />}
      <Turn page={page} onClose={onClose} />
    </div>
  );
}

function Turn({ page, onClose }: { page: (typeof PAGES)[number]; onClose(): void }) {
  const { t } = useTranslation();
  const { draft, page: number, turnTo } = useNewAction();
  const lacking = lackingOn(page, draft);
  return (
    <>
      {lacking.length === 0 ? null : (
        <p className="muted small">
          {t("newAction.lacking", { what: lacking.map((field) => t(`newAction.field.${field}`)).join(" · ") })}
        </p>
      )}
      <div className="row">
        <Button
          disabled={number === 0}
          leftSection={<ArrowLeft size={14} aria-hidden />}
          onClick={() => turnTo(number - 1)}
        >
          {t("newAction.back")}
        </Button>
        {page === "result" ? null : (
          <Button
            variant="filled"
            disabled={lacking.length > 0}
            rightSection={<ArrowRight size={14} aria-hidden />}
            onClick={() => turnTo(number + 1)}
          >
            {t("newAction.next")}
          </Button>
        )}
        <Button variant="default" onClick={onClose}>
          {t("newAction.close")}
        </Button>
      </div>
    </>
  );
}
