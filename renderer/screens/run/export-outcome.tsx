import { Button } from "@mantine/core";
import { CircleCheck } from "lucide-react";
import { useTranslation } from "react-i18next";
import { CopyLine, HashChip } from "../../components/HashChip";
import { formatBytes } from "../../format";
import { type EvidenceView, type MadeBundle, useEvidence } from "../../stores/evidence";
import { detailWord } from "../audit/detail-word";

/** How far the bundle is, with a way to stop that leaves nothing behind. */
export function ExportWork({ work: { label, done, of, asking } }: { work: NonNullable<EvidenceView["work"]> }) {
  const { t } = useTranslation();
  const tell = useEvidence((state) => state.tell);
  return (
    <div className="notice tone-info">
      <div className="grow stack tight">
        <p className="num" role="status">
          {asking?.isHardware ? t("audit.export.touch", { key: asking.comment }) : t("audit.export.working", { label })}
        </p>
        <progress max={of === 0 ? 1 : of} value={of === 0 ? undefined : done} aria-label={t("audit.export.label")} />
        {of === 0 ? null : (
          <p className="num small muted">
            {t("audit.export.progress", { done: formatBytes(done), of: formatBytes(of) })}
          </p>
        )}
      </div>
      <Button size="compact-xs" onClick={() => void tell("evidence.cancel")}>
        {t("audit.export.cancel")}
      </Button>
    </div>
  );
}

/** What the last export came to. */
export function ExportOutcome({ outcome }: { outcome: NonNullable<EvidenceView["outcome"]> }) {
  const { t } = useTranslation();
  if (outcome.kind === "exported") return <Written bundle={outcome.bundle} />;
  if (outcome.kind === "opened" || outcome.work !== "export") return null;
  if (outcome.kind === "cancelled") return <p role="status">{t("audit.export.cancelled")}</p>;
  return (
    <p className="notice tone-bad" role="alert">
      {t("audit.export.failed", { detail: detailWord(outcome.detail) })}
    </p>
  );
}

function Written({ bundle }: { bundle: MadeBundle }) {
  const { t } = useTranslation();
  return (
    <>
      <p className="notice tone-ok" role="status">
        <CircleCheck size={16} aria-hidden />
        <b>{t("audit.export.done", { label: bundle.label })}</b>
      </p>
      <dl className="facts-of">
        <dt>{t("audit.export.file")}</dt>
        <dd>
          <CopyLine value={bundle.file} what={t("audit.export.file")} />
        </dd>
        <dt>{t("audit.export.size")}</dt>
        <dd className="num">{formatBytes(bundle.bytes)}</dd>
        <dt>{t("audit.export.sha256")}</dt>
        <dd className="stack tight">
          <span className="mono wrap">{bundle.sha256}</span>
          <span>
            <HashChip hash={bundle.sha256} of="file" />
          </span>
        </dd>
        {bundle.timestamp === undefined ? null : <Stamp timestamp={bundle.timestamp} />}
        <dt>{t("audit.export.verify")}</dt>
        <dd className="stack tight">
          {commandsFor(bundle).map((command) => (
            <CopyLine key={command} value={command} what={t("audit.export.copyCommand")} />
          ))}
          <span className="muted small">{t("audit.export.verifyNote")}</span>
        </dd>
      </dl>
    </>
  );
}

/** What the time-stamp server said, or why the bundle is without: it is whole either way. */
function Stamp({ timestamp }: { timestamp: NonNullable<MadeBundle["timestamp"]> }) {
  const { t } = useTranslation();
  return (
    <>
      <dt>{t("audit.stamp.title")}</dt>
      <dd className={"at" in timestamp ? "num" : "tone-warn"}>
        {"at" in timestamp
          ? t("audit.stamp.at", { at: timestamp.at })
          : t("audit.stamp.missing", { reason: timestamp.missing })}
      </dd>
    </>
  );
}

/** A text as one word of a shell, whatever is in it. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** To be typed where the file is: what was said about it is no proof, what these say is. */
function commandsFor({ file, folder, sha256 }: MadeBundle): string[] {
  const name = file.split(/[\\/]/).pop() ?? file;
  return [
    `echo ${quoted(`${sha256}  ${name}`)} | sha256sum -c`,
    `unzip -q ${quoted(name)} && bash ${quoted(`${folder}/verify.sh`)} allowed_signers`,
  ];
}
