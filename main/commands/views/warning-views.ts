import type { Output } from "../../../preload/contract";
import type { TaskRow } from "../../domain/records";
import type { FrozenLinkReport, FrozenPackage } from "./frozen";
import type { SourceView } from "./source-views";

type Warning = NonNullable<Output<"contentReview.get">>["warnings"][number];

/** What has to be ticked: what the check found, and what came up since while the content waited. */
export function openWarnings(task: Pick<TaskRow, "context">, pack: FrozenPackage): string[] {
  const since = String(task.context["warnings"] ?? "")
    .split("\n")
    .filter((id) => id.startsWith("source_changed:"));
  return [...pack.warnings, ...since];
}

/**
 * The warnings of a package as sentences can be made of them. `id` is what has to be ticked, whole; the code is its first
 * part (`link_redirect:3` → `link_redirect`), the values are what the rest of it stands for.
 */
export function warningViews(
  ids: readonly string[],
  report: FrozenLinkReport,
  sources: readonly SourceView[],
): Warning[] {
  return ids.map((id) => {
    const cut = id.indexOf(":");
    const code = cut < 0 ? id : id.slice(0, cut);
    const rest = cut < 0 ? "" : id.slice(cut + 1);
    return { code, values: { id, ...valuesOf(code, rest, report, sources) } };
  });
}

function valuesOf(
  code: string,
  rest: string,
  report: FrozenLinkReport,
  sources: readonly SourceView[],
): Record<string, string | number> {
  if (code.startsWith("link_")) {
    // The number is the link's place in the report.
    const link = report.links[Number(rest)];
    if (link === undefined) return { url: rest };
    const { url, finalUrl } = link;
    return finalUrl === null || finalUrl === url ? { url } : { url, finalUrl };
  }
  if (code.startsWith("source_")) return { source: sources.find((source) => source.id === rest)?.title ?? rest };
  if (code === "shortfall") return { n: Number(rest) };
  return rest === "" ? {} : { rest };
}
