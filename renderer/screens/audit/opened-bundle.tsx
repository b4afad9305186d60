import { Button } from "@mantine/core";
import { CircleCheck, CircleDashed, OctagonAlert } from "lucide-react";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { CopyLine, HashChip } from "../../components/HashChip";
import { Panel } from "../../components/Panel";
import { formatBytes } from "../../format";
import { type OpenedBundle, useEvidence } from "../../stores/evidence";
import { wordOrText } from "../../words";
import { BundleFactsView } from "./bundle-facts";

/** What the verification found, and, only of a valid bundle, what it tells. */
export function OpenedBundleView({ bundle, own }: { bundle: OpenedBundle; own: string | null }) {
  const { t } = useTranslation();
  const tell = useEvidence((state) => state.tell);
  const failed = bundle.checks.filter(({ ok }) => ok === false);
  const Icon = bundle.valid ? CircleCheck : OctagonAlert;
  const top = useRef<HTMLDivElement>(null);
  // It appears below what was pressed: whoever asked for it is taken there.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another bundle is the reason to take the focus again
  useEffect(() => top.current?.focus(), [bundle.file, bundle.sha256]);
  return (
    <div ref={top} tabIndex={-1} className="stack opened-bundle">
      <Panel
        title={bundle.valid && bundle.label !== null ? bundle.label : fileName(bundle.file)}
        actions={
          <Button size="compact-sm" onClick={() => void tell("evidence.putAway")}>
            {t("audit.open.close")}
          </Button>
        }
      >
        <div className="stack">
          <p className={`notice tone-${bundle.valid ? "ok" : "bad"}`} role={bundle.valid ? "status" : "alert"}>
            <Icon size={16} aria-hidden />
            <b>{bundle.valid ? t("audit.open.valid") : t("audit.open.refused")}</b>
          </p>
          {failed.length > 0 ? (
            <section aria-label={t("audit.open.wrong")}>
              <h3>{t("audit.open.wrong")}</h3>
              <CheckList checks={failed} />
            </section>
          ) : null}
          {bundle.valid ? <Comparison bundle={bundle} /> : null}
          <BundleHead bundle={bundle} own={own} />
          <details>
            <summary>{t("audit.open.checks")}</summary>
            <CheckList checks={bundle.checks} />
          </details>
        </div>
      </Panel>
      {bundle.facts ? <BundleFactsView facts={bundle.facts} /> : null}
    </div>
  );
}

const fileName = (file: string): string => file.split(/[\\/]/).pop() ?? file;

/** Null: what would answer it is not in the bundle, which is neither good nor bad. */
const ICONS = { true: CircleCheck, false: OctagonAlert, null: CircleDashed };
const TONES = { true: "ok", false: "bad", null: "neutral" };

function CheckList({ checks }: { checks: OpenedBundle["checks"] }) {
  const { t } = useTranslation();
  return (
    <ul className="audit-checks">
      {checks.map(({ name, ok, detail }) => {
        const Icon = ICONS[`${ok}`];
        return (
          <li key={name} className={`tone-${TONES[`${ok}`]}`}>
            <Icon size={14} aria-hidden />
            <b>{wordOrText("audit.check", name)}</b>
            {ok === null ? <span className="nowrap">{t("audit.open.stays")}</span> : null}
            <span className="wrap">{detail}</span>
          </li>
        );
      })}
    </ul>
  );
}

function Comparison({ bundle: { comparison } }: { bundle: OpenedBundle }) {
  const { t } = useTranslation();
  const tone = { same: "ok", older_part: "ok", journal_is_older: "warn", different: "bad", other_workspace: "neutral" };
  return (
    <section aria-label={t("audit.compared.title")}>
      <h3>{t("audit.compared.title")}</h3>
      {comparison === null ? (
        <p className="muted">{t("audit.compared.none")}</p>
      ) : (
        <p className={`notice tone-${tone[comparison.result]}`}>
          {t(`audit.compared.${comparison.result}`, {
            events: comparison.events,
            journalEvents: comparison.journalEvents,
            at: comparison.at ?? 0,
          })}
        </p>
      )}
    </section>
  );
}

/** File and signer: known of a refused bundle, too, so that somebody can be asked about it. */
function BundleHead({ bundle, own }: { bundle: OpenedBundle; own: string | null }) {
  const { t } = useTranslation();
  const { signer, facts } = bundle;
  const known = own === null ? "noKey" : signer?.fingerprint === own ? "ownKey" : "otherKey";
  return (
    <dl className="facts-of">
      <dt>{t("audit.open.file")}</dt>
      <dd className="row tight">
        <CopyLine value={bundle.file} what={t("audit.open.file")} />
        <span className="muted nowrap">{formatBytes(bundle.bytes)}</span>
        <HashChip hash={bundle.sha256} of="file" />
        {bundle.valid && bundle.bag ? <HashChip hash={bundle.bag} of="bundle" /> : null}
        {bundle.valid && bundle.head ? <HashChip hash={bundle.head} of="event" /> : null}
      </dd>
      {bundle.valid && signer ? (
        <>
          <dt>{t("audit.open.signer")}</dt>
          <dd className="stack tight">
            <span className="row tight">
              <span className="wrap">{signer.identity}</span>
              <CopyLine value={signer.fingerprint} what={t("audit.key.fingerprint")} />
            </span>
            <span className="muted">{t(`audit.open.${known}`)}</span>
          </dd>
        </>
      ) : null}
      {facts ? (
        <>
          <dt>{t("audit.open.made")}</dt>
          <dd className="num">{facts.createdAt}</dd>
          <dt>{t("audit.open.from")}</dt>
          <dd>
            <span className="mono">{facts.workspaceId}</span>
            {facts.workspaceKind === "sandbox" ? <span className="muted"> {t("audit.open.practice")}</span> : null}
          </dd>
        </>
      ) : null}
    </dl>
  );
}
