import { Checkbox, NativeSelect, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useNewAction } from "../../../stores/new-action";
import { operationPhaseChoices } from "./phases";

/** Whose workflow it is, and which action is described. */
export function WhatPage() {
  const { t } = useTranslation();
  const { draft, change } = useNewAction();
  const { action } = draft;
  const text = (field: "name" | "owner" | "backupOwner") => (
    <TextInput
      label={t(`newAction.field.${field}`)}
      description={t(`newAction.hint.${field}`)}
      value={draft[field]}
      maxLength={80}
      onChange={(event) => change({ [field]: event.currentTarget.value })}
    />
  );
  const part = (field: "name" | "adapter", name: "action" | "adapter") => (
    <TextInput
      label={t(`newAction.field.${name}`)}
      description={t(`newAction.hint.${name}`)}
      value={action[field]}
      maxLength={60}
      onChange={(event) => change({ action: { ...action, [field]: event.currentTarget.value } })}
    />
  );
  return (
    <div className="stack">
      {text("name")}
      {text("owner")}
      {text("backupOwner")}
      {part("name", "action")}
      {part("adapter", "adapter")}
      <NativeSelect
        label={t("newAction.field.phase")}
        data={operationPhaseChoices()}
        value={action.phase}
        onChange={(event) => change({ action: { ...action, phase: event.currentTarget.value as typeof action.phase } })}
      />
      <Checkbox
        label={t("newAction.field.isDecided")}
        checked={action.isDecided}
        onChange={(event) => change({ action: { ...action, isDecided: event.currentTarget.checked } })}
      />
    </div>
  );
}
