import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { CopyLine, HashChip } from "../../components/HashChip";
import { Moment } from "../../components/Moments";
import { Empty, Panel } from "../../components/Panel";
import { formatBytes } from "../../format";
import { type MadeBundle, useEvidence } from "../../stores/evidence";

/** The bundles that were made here, each with its hashes, to be opened and compared again. */
export function MadePanel({ made }: { made: readonly MadeBundle[] }) {
  const { t } = useTranslation();
  return (
    <Panel title={t("audit.made.title")} flush>
      {made.length === 0 ? (
        <Empty>{t("audit.made.empty")}</Empty>
      ) : (
        <>
          <table className="table compact">
            <thead>
              <tr>
                <th>{t("audit.made.when")}</th>
                <th>{t("audit.made.file")}</th>
                <th>{t("audit.made.sha256")}</th>
                <th>{t("audit.made.bag")}</th>
                <th>{t("audit.made.head")}</th>
                <th className="number">{t("audit.made.size")}</th>
                <th>{t("audit.made.what")}</th>
              </tr>
            </thead>
            <tbody>
              {made.map((bundle) => (
                <Row key={`${bundle.at}-${bundle.sha256}`} bundle={bundle} />
              ))}
            </tbody>
          </table>
          <p className="muted small audit-note">{t("audit.made.note")}</p>
        </>
      )}
    </Panel>
  );
}

function Row({ bundle }: { bundle: MadeBundle }) {
  const { t } = useTranslation();
  const openBundle = useEvidence((state) => state.openBundle);
  const isBusy = useEvidence((state) => state.isAsking || state.answer.value?.work != null);
  return (
    <tr>
      <td className="nowrap">
        <Moment at={bundle.at} />
      </td>
      <td>
        <CopyLine value={bundle.file} what={t("audit.made.file")} />
      </td>
      <td>
        <HashChip hash={bundle.sha256} of="file" bare />
      </td>
      <td>
        <HashChip hash={bundle.bag} of="bundle" bare />
      </td>
      <td>
        <HashChip hash={bundle.head} of="event" bare />
      </td>
      <td className="number nowrap">{formatBytes(bundle.bytes)}</td>
      <td className="nowrap">
        <Button size="compact-xs" disabled={isBusy} onClick={() => void openBundle(bundle.sha256)}>
          {t("audit.made.open", { label: bundle.label })}
        </Button>
      </td>
    </tr>
  );
}
