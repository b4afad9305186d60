import { CircleSlash } from "lucide-react";
import { Fragment } from "react";
import type { CommandReply } from "../stores/commands";
import { hasWord, valuesInside, wordFor, wordOrText } from "../words";
import { HashChip, shortenHashes } from "./HashChip";
import { Moment } from "./Moments";

/** Values that are moments of workspace time, not numbers to be read. */
const MOMENTS = ["at", "until"];

export type UnmetItem = Extract<CommandReply, { unmet: unknown }>["unmet"][number];

/** The conditions that stand in the way, each as a sentence; values that a sentence leaves out follow it. */
export function UnmetList({ items, extra = [] }: { items: readonly UnmetItem[]; extra?: readonly string[] }) {
  return (
    <ul className="unmet">
      {extra.map((text) => (
        <li key={text}>
          <CircleSlash size={13} aria-hidden />
          <span>{text}</span>
        </li>
      ))}
      {items.map((item) => (
        <li key={`${item.code}|${JSON.stringify(item.values)}`}>
          <CircleSlash size={13} aria-hidden />
          <span className="wrap">
            {wordFor("unmet", item.code, worded(item))} <UnmetValues item={item} />
          </span>
        </li>
      ))}
    </ul>
  );
}

/** A piece of evidence is named in words. */
function worded({ code, values }: UnmetItem): UnmetItem["values"] {
  const what = String(values["what"] ?? "");
  return code === "incident_evidence_missing" ? { ...values, what: wordOrText("incident.evidence", what) } : values;
}

function UnmetValues({ item }: { item: UnmetItem }) {
  const inside = valuesInside("unmet", item.code);
  const left = Object.entries(item.values).filter(([name]) => !inside.includes(name));
  if (left.length === 0) return null;
  return (
    <span className="muted small">
      {left.map(([name, value], index) => (
        <Fragment key={name}>
          {index > 0 ? " · " : ""}
          {wordOfValueName(name)} <UnmetValue name={name} value={value} />
        </Fragment>
      ))}
    </span>
  );
}

function UnmetValue({ name, value }: { name: string; value: string | number }) {
  if (MOMENTS.includes(name) && typeof value === "number") return value === 0 ? null : <Moment at={value} />;
  const text = String(value);
  if (/^[0-9a-f]{64}$/.test(text)) return <HashChip hash={text} bare />;
  return <span className="mono">{hasWord("state", text) ? wordFor("state", text) : shortenHashes(text)}</span>;
}

function wordOfValueName(name: string): string {
  return hasWord("value", name) ? wordFor("value", name) : name;
}
