import { Checkbox } from "@mantine/core";
import { Check, X } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Mark } from "../../components/StateBadge";
import { type ContentReviewView, useContentReview } from "../../stores/content-review";
import { type Section, sectionsOf } from "./sections";

/** The edition as it reads, section by section, each with its “read” box. Choosing a fact shows its source beside it. */
export function Manuscript({ review }: { review: ContentReviewView }) {
  const { t } = useTranslation();
  const factId = useContentReview((state) => state.factId);
  const select = useContentReview((state) => state.select);
  const sections = sectionsOf(review);
  const of = (id: string) => sections.find((section) => section.id === id) as Section;
  return (
    <div className="manuscript">
      <SectionBox section={of("title")}>
        <p className="edition-title">{review.title}</p>
      </SectionBox>
      <SectionBox section={of("intro")}>
        <p>{review.intro}</p>
      </SectionBox>
      <ol data-list aria-label={t("content.facts.list")}>
        {review.facts.map((fact, index) => (
          <li key={fact.id} className={fact.id === factId ? "fact chosen" : "fact"}>
            <SectionBox section={of(`fact:${fact.id}`)}>
              <button
                type="button"
                data-row
                className="fact-button"
                aria-pressed={fact.id === factId}
                aria-label={t("content.facts.open", { number: index + 1, headline: fact.headline })}
                onFocus={() => select(fact.id)}
                onClick={() => select(fact.id)}
              >
                <span className="fact-number num">{index + 1}</span>
                <span className="grow stack tight">
                  <b>{fact.headline}</b>
                  <span>{fact.statement}</span>
                  <span className="row tight small muted">
                    {fact.sourceTitle}
                    {fact.quoteFound ? (
                      <Mark tone="ok" icon={Check}>
                        {t("content.facts.found")}
                      </Mark>
                    ) : (
                      <Mark tone="bad" icon={X}>
                        {t("content.facts.notFound")}
                      </Mark>
                    )}
                  </span>
                </span>
              </button>
            </SectionBox>
          </li>
        ))}
      </ol>
    </div>
  );
}

function SectionBox({ section, children }: { section: Section; children: ReactNode }) {
  return (
    <div className="section-box">
      <div className="grow">{children}</div>
      <ReadBox section={section} />
    </div>
  );
}

/** The tick that a section was read. It holds for exactly this text and clears by itself when the section changes. */
export function ReadBox({ section, labelled = false }: { section: Section; labelled?: boolean }) {
  const { t } = useTranslation();
  const isRead = useContentReview((state) => state.reads[section.id] === section.text);
  const markRead = useContentReview((state) => state.markRead);
  const name = t("content.read.mark", { section: t(`content.section.${section.kind}`, { number: section.number }) });
  return (
    <Checkbox
      className="read-box"
      checked={isRead}
      aria-label={name}
      title={name}
      label={labelled ? name : undefined}
      onChange={(event) => markRead(section.id, event.currentTarget.checked ? section.text : null)}
    />
  );
}
