import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { type DiffLine, type DiffPart, diffLines } from "./diff-lines";
import { Empty } from "./Panel";

const SIGN = { same: "", added: "+", removed: "−", changed: "±" } as const;

/** Differences in running text: a sign per line, underlined where words came and struck through where they went. */
export function Diff({ parts }: { parts: readonly DiffPart[] }) {
  const { t } = useTranslation();
  const lines = useMemo(() => diffLines(parts), [parts]);
  if (parts.every((part) => part.kind === "same")) return <Empty>{t("content.diff.noChange")}</Empty>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className="diff" aria-label={t("content.diff.label")} tabIndex={0}>
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity but their place
        <Line key={index} line={line} />
      ))}
    </section>
  );
}

function Line({ line }: { line: DiffLine }) {
  const { t } = useTranslation();
  return (
    <div className={`diff-line ${line.kind}`}>
      <span className="sign" aria-hidden>
        {SIGN[line.kind]}
      </span>
      <p>
        {line.kind === "same" ? null : <span className="visually-hidden">{t(`content.diff.${line.kind}`)} </span>}
        {line.parts.map((part, index) => {
          const Passage = part.kind === "added" ? "ins" : part.kind === "removed" ? "del" : "span";
          // biome-ignore lint/suspicious/noArrayIndexKey: passages have no identity but their place
          return <Passage key={index}>{part.text}</Passage>;
        })}
      </p>
    </div>
  );
}
