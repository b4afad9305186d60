import { useTranslation } from "react-i18next";
import type { DrillFacts } from "../../stores/drills";
import { type CodeFamily, hasWord, operationName, wordFor } from "../../words";
import { unmetWord, worded } from "./step-text";

type Shown = DrillFacts["shown"];
type Line = Shown[number]["lines"][number];

/** What the editor would have seen, at named moments of the play and at its end. */
export function ShownMoments({ shown }: { shown: Shown }) {
  const { t } = useTranslation();
  return (
    <section className="stack" aria-label={t("drills.facts.shown")}>
      <h3>{t("drills.facts.shown")}</h3>
      {shown.map(({ moment, lines }) => (
        <div key={moment} className="stack tight">
          <b>{wordFor("drills.moment", moment)}</b>
          {lines.length === 0 ? <p className="muted">{t("drills.facts.shownNothing")}</p> : <Lines lines={lines} />}
        </div>
      ))}
    </section>
  );
}

function Lines({ lines }: { lines: readonly Line[] }) {
  return (
    <dl className="facts-of">
      {lines.map((line) => (
        <ShownLine key={`${line.about} ${line.codes.join(" ")}`} line={line} />
      ))}
    </dl>
  );
}

function ShownLine({ line }: { line: Line }) {
  const { t } = useTranslation();
  const [about, subject] = line.about.split(" on ");
  const [kind = "", phase = ""] = (subject ?? "").split(".");
  const words = line.codes.map((code, index) => codeWord(line, code, index));
  return (
    <>
      <dt>{wordFor("drills.about", about ?? "")}</dt>
      <dd>
        {subject === undefined ? "" : `${operationName(kind, phase)} · `}
        {words.join(t("drills.facts.list"))}
      </dd>
    </>
  );
}

/** Where a code of a line has its words; the first family that knows it wins. */
const FAMILIES: Readonly<Record<string, readonly CodeFamily[]>> = {
  waits: ["today.kind", "blockedReason"],
  "way out": ["state", "drills.seen"],
  may: ["event"],
  undo: ["event"],
  audience: ["drills.seen"],
  "customer care": ["recipient"],
  "to tick": ["drills.seen"],
};

function codeWord({ about }: Line, code: string, index: number): string {
  if (about.startsWith("verdict")) return wordFor("verdict", code);
  const families = FAMILIES[about] ?? [];
  // The first code of a way out is where it leads, the second whether it is open; then what is in the way.
  if (about === "way out" && index > 1) return unmetWord(code);
  return families.some((family) => hasWord(family, code)) ? worded(families, code) : code;
}
