import { Button, Chip, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { isShown, type LedgerFilter, NO_FILTER, useLedger } from "../../stores/ledger";

const OUTCOMES = ["running", "blocked", "succeeded", "compensated", "closed"] as const;
const MARKS = ["unknown", "recovered", "blocked", "compensated", "duplicate"] as const;
/** Long enough for a word to be typed, short enough not to be waited for. */
const TYPING_MS = 150;

/** What is shown: chips of which any (outcome) or every one (what happened) is true, days, and a text. */
export function Filters() {
  const { t } = useTranslation();
  const filter = useLedger((state) => state.filter);
  const sort = useLedger((state) => state.sort);
  const show = useLedger((state) => state.show);
  const change = (part: Partial<LedgerFilter>) => void show({ filter: { ...useLedger.getState().filter, ...part } });
  const isNarrowed = !isShown({ filter, sort }, { filter: NO_FILTER, sort });
  return (
    <div className="ledger-filters">
      <Chips
        label={t("ledger.filter.outcomes")}
        all={OUTCOMES}
        chosen={filter.outcomes}
        wordOf={(outcome) => t(`ledger.filter.outcome.${outcome}`)}
        choose={(outcomes) => change({ outcomes })}
      />
      <Chips
        label={t("ledger.filter.marks")}
        all={MARKS}
        chosen={filter.marks}
        wordOf={(mark) => t(`ledger.filter.mark.${mark}`)}
        choose={(marks) => change({ marks })}
      />
      <div className="row ledger-fields">
        <SearchField text={filter.text} change={(text) => change({ text })} />
        <DayField name="from" day={filter.from} change={(from) => change({ from })} />
        <DayField name="to" day={filter.to} change={(to) => change({ to })} />
        {isNarrowed ? <Button onClick={() => change(NO_FILTER)}>{t("ledger.clear")}</Button> : null}
        {filter.from !== null && filter.to !== null && filter.from > filter.to ? (
          <p className="small" role="alert">
            {t("ledger.filter.order")}
          </p>
        ) : null}
      </div>
    </div>
  );
}

interface ChipsOf<T extends string> {
  label: string;
  all: readonly T[];
  chosen: readonly T[];
  wordOf: (one: T) => string;
  choose: (chosen: T[]) => void;
}

function Chips<T extends string>({ label, all, chosen, wordOf, choose }: ChipsOf<T>) {
  return (
    <fieldset className="ledger-chips" aria-label={label}>
      <span className="muted small" aria-hidden>
        {label}
      </span>
      {all.map((one) => (
        <Chip
          key={one}
          size="xs"
          variant="outline"
          checked={chosen.includes(one)}
          onChange={(isOn) => choose(all.filter((other) => (other === one ? isOn : chosen.includes(other))))}
        >
          {wordOf(one)}
        </Chip>
      ))}
    </fieldset>
  );
}

/** What is typed is looked for after a moment of rest; what another choice puts there is shown at once. */
function SearchField({ text, change }: { text: string; change: (text: string) => void }) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState(text);
  useEffect(() => setTyped(text), [text]);
  const later = useDebouncedCallback(change, TYPING_MS);
  return (
    <TextInput
      data-filter
      className="ledger-search"
      label={t("ledger.filter.text")}
      placeholder={t("ledger.filter.textHint")}
      value={typed}
      maxLength={200}
      spellCheck={false}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        later(event.currentTarget.value);
      }}
      rightSection={<kbd className="kbd">/</kbd>}
    />
  );
}

function DayField({
  name,
  day,
  change,
}: {
  name: "from" | "to";
  day: string | null;
  change: (day: string | null) => void;
}) {
  const { t } = useTranslation();
  return (
    <TextInput
      type="date"
      label={t(`ledger.filter.${name}`)}
      value={day ?? ""}
      onChange={(event) => change(event.currentTarget.value === "" ? null : event.currentTarget.value)}
    />
  );
}
