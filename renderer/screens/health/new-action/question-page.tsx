import { Checkbox, NumberInput, Radio, TextInput } from "@mantine/core";
import type { JSX } from "react";
import { useTranslation } from "react-i18next";
import { type FiveQuestion, useNewAction } from "../../../stores/new-action";

/** One of the five questions: answered, or left to whoever knows. */
export function QuestionPage({ question }: { question: FiveQuestion }) {
  const { t } = useTranslation();
  const { draft, change } = useNewAction();
  const { answered } = draft;
  const isAnswered = answered[question];
  return (
    <div className="stack">
      <Radio.Group
        label={t("newAction.known.label")}
        value={isAnswered ? "yes" : "no"}
        onChange={(value) => change({ answered: { ...answered, [question]: value === "yes" } })}
      >
        <div className="stack tight">
          <Radio value="no" label={t("newAction.known.no")} />
          <Radio value="yes" label={t("newAction.known.yes")} />
        </div>
      </Radio.Group>
      {isAnswered ? FIELDS[question]() : null}
    </div>
  );
}

const FIELDS: Readonly<Record<FiveQuestion, () => JSX.Element>> = {
  key: () => <KeyFields />,
  query: () => <QueryFields />,
  retry: () => <RetryFields />,
  approvalBinds: () => <BindsFields />,
  compensation: () => <CompensationFields />,
};

function KeyFields() {
  const { t } = useTranslation();
  const { draft, answer } = useNewAction();
  const { where, unique } = draft.answers.key;
  return (
    <>
      <TextInput
        label={t("newAction.field.where")}
        description={t("newAction.hint.where")}
        value={where}
        maxLength={200}
        onChange={(event) => answer("key", { where: event.currentTarget.value })}
      />
      <Tick label={t("newAction.field.unique")} is={unique} set={(is) => answer("key", { unique: is })} />
    </>
  );
}

function QueryFields() {
  const { t } = useTranslation();
  const { draft, answer } = useNewAction();
  const { reliable, visibilitySeconds, horizonSeconds, looks } = draft.answers.query;
  return (
    <>
      <Tick label={t("newAction.field.reliable")} is={reliable} set={(is) => answer("query", { reliable: is })} />
      <Count
        field="visibilitySeconds"
        is={visibilitySeconds}
        set={(is) => answer("query", { visibilitySeconds: is })}
      />
      <Count field="horizonSeconds" is={horizonSeconds} set={(is) => answer("query", { horizonSeconds: is })} />
      <Count field="looks" max={100} is={looks} set={(is) => answer("query", { looks: is })} />
    </>
  );
}

function RetryFields() {
  const { t } = useTranslation();
  const { draft, answer } = useNewAction();
  const { resendAfterNotSent, resendAfterProvenAbsent, maxAttempts } = draft.answers.retry;
  return (
    <>
      <Tick
        label={t("newAction.field.resendAfterNotSent")}
        is={resendAfterNotSent}
        set={(is) => answer("retry", { resendAfterNotSent: is })}
      />
      <Tick
        label={t("newAction.field.resendAfterProvenAbsent")}
        is={resendAfterProvenAbsent}
        set={(is) => answer("retry", { resendAfterProvenAbsent: is })}
      />
      <Count field="maxAttempts" min={1} max={20} is={maxAttempts} set={(is) => answer("retry", { maxAttempts: is })} />
    </>
  );
}

const HASHES = ["contentHash", "pageUrl", "bodyHash", "audienceHash"] as const;

function BindsFields() {
  const { t } = useTranslation();
  const { draft, answer } = useNewAction();
  const bound = draft.answers.approvalBinds;
  return (
    <fieldset className="stack tight">
      <legend>{t("newAction.field.binds")}</legend>
      {HASHES.map((hash) => (
        <Tick
          key={hash}
          label={t(`newAction.hash.${hash}`)}
          is={bound.includes(hash)}
          set={(is) =>
            answer(
              "approvalBinds",
              HASHES.filter((one) => (one === hash ? is : bound.includes(one))),
            )
          }
        />
      ))}
    </fieldset>
  );
}

const GRADES = ["A", "B", "C", "D"] as const;

function CompensationFields() {
  const { t } = useTranslation();
  const { draft, answer } = useNewAction();
  const { action, grade } = draft.answers.compensation;
  return (
    <>
      <TextInput
        label={t("newAction.field.how")}
        description={t("newAction.hint.how")}
        value={action}
        maxLength={300}
        onChange={(event) => answer("compensation", { action: event.currentTarget.value })}
      />
      <Radio.Group
        label={t("newAction.field.grade")}
        value={grade}
        onChange={(value) => answer("compensation", { grade: GRADES.find((one) => one === value) ?? "D" })}
      >
        <div className="stack tight">
          {GRADES.map((one) => (
            <Radio key={one} value={one} label={t(`newAction.grade.${one}`)} />
          ))}
        </div>
      </Radio.Group>
    </>
  );
}

function Tick({ label, is, set }: { label: string; is: boolean; set(is: boolean): void }) {
  return <Checkbox label={label} checked={is} onChange={(event) => set(event.currentTarget.checked)} />;
}

function Count({
  field,
  is,
  set,
  min = 0,
  max = 604_800,
}: {
  field: "visibilitySeconds" | "horizonSeconds" | "looks" | "maxAttempts";
  is: number;
  set(is: number): void;
  min?: number;
  max?: number;
}) {
  const { t } = useTranslation();
  return (
    <NumberInput
      label={t(`newAction.field.${field}`)}
      value={is}
      min={min}
      max={max}
      allowDecimal={false}
      onChange={(value) => (typeof value === "number" ? set(value) : undefined)}
    />
  );
}
