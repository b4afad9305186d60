import { TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useClock } from "../../stores/clock";
import { fromLocalField, toLocalField } from "../../zoned-time";

/** A deadline as a person gives it: what stands in the field, and the moment that it is. */
export interface DeadlineDraft {
  text: string;
  /** Ms UTC; null: no moment stands in the field. */
  at: number | null;
  isAhead: boolean;
  write(text: string): void;
  /** Puts the moment that lies so far ahead (ms) into the field. */
  propose(aheadMs: number): void;
}

/** @param zone IANA zone in which the deadline is given */
export function useDeadline(zone: string): DeadlineDraft {
  const [text, write] = useState("");
  const at = fromLocalField(text, zone);
  return {
    ...{ text, at, write },
    isAhead: at !== null && at > useClock.getState().now,
    propose: (aheadMs) => write(toLocalField(useClock.getState().now + aheadMs, zone)),
  };
}

/** One moment in the edition's zone; one that has passed is named. */
export function DeadlineField({ zone, deadline }: { zone: string; deadline: DeadlineDraft }) {
  const { t } = useTranslation();
  const { text, at, isAhead, write } = deadline;
  return (
    <TextInput
      type="datetime-local"
      label={t("run.blocked.deadline", { zone })}
      value={text}
      error={at !== null && !isAhead ? t("run.blocked.deadlinePast") : undefined}
      onChange={(event) => write(event.currentTarget.value)}
    />
  );
}
