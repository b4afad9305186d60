import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { CopyLine } from "../../components/HashChip";
import { Panel } from "../../components/Panel";
import { formatNumber } from "../../format";
import type { SandboxView } from "../../stores/sandbox";

type Records = SandboxView["records"];

/** The remotes' own books: calls and objects as they counted them, independent of the journal. */
export function Records({ records }: { records: Records }) {
  const { t } = useTranslation();
  const { cms, mail } = records;
  return (
    <Panel title={t("sandbox.records.title")}>
      <div className="stack wide">
        <p className="muted small">{t("sandbox.records.note")}</p>
        <section className="stack tight" aria-label={t("sandbox.records.cms")}>
          <Counts title={t("sandbox.records.cms")}>
            <Count name={t("sandbox.records.creates")} value={cms.createCalls} />
            <Count name={t("sandbox.records.objects")} value={cms.objects.length} />
          </Counts>
          <Objects
            rows={cms.objects.map((object) => ({
              id: object.id,
              status: object.status,
              key: object.key,
              slug: object.slug,
            }))}
          />
        </section>
        <section className="stack tight" aria-label={t("sandbox.records.mail")}>
          <Counts title={t("sandbox.records.mail")}>
            <Count name={t("sandbox.records.creates")} value={mail.createCalls} />
            <Count name={t("sandbox.records.triggers")} value={mail.triggerCalls} />
            <Count name={t("sandbox.records.campaigns")} value={mail.campaigns.length} />
            <Count name={t("sandbox.records.mailings")} value={mail.mailings} />
          </Counts>
          <Objects rows={mail.campaigns.map((campaign) => ({ ...campaign, slug: null }))} />
        </section>
      </div>
    </Panel>
  );
}

function Counts({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="row">
      <h3>{title}</h3>
      {children}
    </div>
  );
}

function Count({ name, value }: { name: string; value: number }) {
  return (
    <span className="num">
      <span className="muted">{name}</span> <b>{formatNumber(value)}</b>
    </span>
  );
}

function Objects({ rows }: { rows: readonly { id: string; slug: string | null; status: string; key: string }[] }) {
  const { t } = useTranslation();
  if (rows.length === 0) return <p className="muted">{t("sandbox.records.none")}</p>;
  const slugs = rows.some((row) => row.slug !== null);
  return (
    <table className="table compact">
      <thead>
        <tr>
          <th>{t("sandbox.records.id")}</th>
          <th>{t("sandbox.records.status")}</th>
          {slugs ? <th>{t("sandbox.records.slug")}</th> : null}
          <th>{t("sandbox.records.key")}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id}>
            <td className="mono nowrap">{row.id}</td>
            <td className="nowrap">{row.status}</td>
            {slugs ? <td className="mono nowrap">{row.slug}</td> : null}
            <td className="small">
              <CopyLine value={row.key} what={t("sandbox.records.key")} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
