import { useTranslation } from "react-i18next";
import type { ContentReviewView } from "../stores/content-review";
import { Empty } from "./Panel";

const SIGN = { same: " ", added: "+", removed: "−" } as const;

/** Differences as inserted and deleted passages: signs and elements say it, colour only helps. */
export function Diff({ parts }: { parts: ContentReviewView["diff"] }) {
  const { t } = useTranslation();
  if (parts.every((part) => part.kind === "same")) return <Empty>{t("content.diff.noChange")}</Empty>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className="diff" aria-label={t("content.diff.label")} tabIndex={0}>
      {parts.map((part, index) => {
        const Passage = part.kind === "added" ? "ins" : part.kind === "removed" ? "del" : "div";
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: passages have no identity but their place
          <Passage key={index}>
            <span className="sign" aria-hidden>
              {SIGN[part.kind]}
            </span>
            {part.kind === "same" ? null : <span className="visually-hidden">{t(`content.diff.${part.kind}`)}</span>}
            <span>{part.text}</span>
          </Passage>
        );
      })}
    </section>
  );
}
