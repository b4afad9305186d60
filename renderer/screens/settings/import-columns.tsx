import { NativeSelect } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { formatNumber } from "../../format";
import { type AudienceColumns, type ChosenList, useSettings } from "../../stores/settings";

const FIELDS = ["id", "address", "group"] as const satisfies readonly (keyof AudienceColumns)[];

/** Which column of the file holds what, beside what its first rows hold. */
export function ImportColumns({ list }: { list: Extract<ChosenList, { result: "chosen" }> }) {
  const { t } = useTranslation();
  const columns = useSettings((state) => state.columns);
  const nameColumn = useSettings((state) => state.nameColumn);
  const { name, rows, sample } = list;
  const named = list.columns.map((column, index) => ({
    value: String(index),
    label: column === "" ? t("settings.import.unnamed", { number: formatNumber(index + 1) }) : column,
  }));
  const exampleOf = (column: number | null) =>
    column === null ? null : sample.map((row) => row[column] ?? "").join(" · ");
  return (
    <section className="stack" aria-label={t("settings.import.columns")}>
      <h3 className="wrap">{t("settings.import.file", { name, count: rows })}</h3>
      <div className="settings-columns">
        {FIELDS.map((field) => (
          <NativeSelect
            key={field}
            size="xs"
            label={t(`settings.import.${field}`)}
            description={exampleOf(columns[field]) ?? t(`settings.import.${field}Hint`)}
            value={columns[field] === null ? "" : String(columns[field])}
            data={[
              { value: "", label: t(field === "group" ? "settings.import.noGroup" : "settings.import.choose") },
              ...named,
            ]}
            onChange={(event) => {
              const { value } = event.currentTarget;
              void nameColumn(field, value === "" ? null : Number(value));
            }}
          />
        ))}
      </div>
      {columns.id !== null && columns.id === columns.address ? (
        <p className="small" role="alert">
          {t("settings.import.sameColumn")}
        </p>
      ) : null}
    </section>
  );
}
