import { Check, CornerDownRight, Eye, Hourglass, Link2Off, type LucideIcon } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Mark } from "../../components/StateBadge";
import type { Tone } from "../../components/state-look";
import type { ContentReviewView } from "../../stores/content-review";
import { wordFor } from "../../words";
import { ReadBox } from "./manuscript";
import { type Section, sectionsOf } from "./sections";

type Link = ContentReviewView["links"][number];

const LOOK: Readonly<Record<Link["verdict"], { tone: Tone; icon: LucideIcon; order: number }>> = {
  broken: { tone: "bad", icon: Link2Off, order: 0 },
  bot_blocked: { tone: "warn", icon: Eye, order: 1 },
  timeout: { tone: "warn", icon: Hourglass, order: 2 },
  redirect: { tone: "info", icon: CornerDownRight, order: 3 },
  ok: { tone: "ok", icon: Check, order: 4 },
};

/** Every link and what became of it; what needs eyes stands first. */
export function LinksTab({ review }: { review: ContentReviewView }) {
  const { t } = useTranslation();
  const links = [...review.links].sort((a, b) => LOOK[a.verdict].order - LOOK[b.verdict].order);
  const section = sectionsOf(review).find((one) => one.kind === "links") as Section;
  return (
    <div>
      <div className="tab-head">
        <span className="row">
          <b>{t("content.links.summary", { count: links.length })}</b>
          {(Object.keys(LOOK) as Link["verdict"][]).map((verdict) => {
            const count = links.filter((link) => link.verdict === verdict).length;
            return count === 0 ? null : (
              <Mark key={verdict} tone={LOOK[verdict].tone} icon={LOOK[verdict].icon}>
                {wordFor("link", verdict)} <span className="num">{count}</span>
              </Mark>
            );
          })}
        </span>
        <ReadBox section={section} labelled />
      </div>
      <div className="table-scroll">
        <table className="table">
          <thead>
            <tr>
              <th>{t("content.links.verdict")}</th>
              <th className="number">{t("content.links.status")}</th>
              <th>{t("content.links.address")}</th>
              <th>{t("content.links.final")}</th>
            </tr>
          </thead>
          <tbody>
            {links.map((link) => (
              <tr key={link.url}>
                <td style={{ whiteSpace: "nowrap" }}>
                  <Mark tone={LOOK[link.verdict].tone} icon={LOOK[link.verdict].icon}>
                    {wordFor("link", link.verdict)}
                  </Mark>
                </td>
                <td className="number">
                  {link.httpStatus ?? <span className="muted">{t("content.links.noStatus")}</span>}
                </td>
                <td className="mono">{link.url}</td>
                <td className="mono muted">{link.finalUrl === link.url ? "" : link.finalUrl}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}
