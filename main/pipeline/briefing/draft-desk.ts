import type { Command } from "../../domain/commands";
import type {
  DraftEdit,
  EditSeen,
  FactFault,
  FieldFault,
  OpenDraft,
  PickedQuote,
  QuoteSpan,
  ReadDraft,
} from "../../domain/draft-edit";
import { sha256 } from "../../domain/hashing";
import type { Sha256 } from "../../domain/ids";
import type { BlobStore } from "../../domain/ports";
import { type Unmet, unmet } from "../../domain/unmet";
import type { TaskView } from "../../domain/view";
import { workingDraftOf } from "../../domain/working-draft";
import { documentOf } from "./check";
import type { Made } from "./desk";
import { documentOfEdit, editOfDraft, faultsOfWords, pickQuote, quoteFaults, readEdit } from "./draft-read";
import type { DraftDocument } from "./draft-schema";
import { draftTransition, presentDraft } from "./draft-transition";
import { canonicalContentBytes } from "./edition-document";
import { type ThawedSource, thawSources } from "./extracted-sources";
import { contextOf, freezeJson, thawJson } from "./frozen";
import { readOrigins } from "./origins";
import type { BriefingPorts } from "./ports";
import type { CollectCheckpoint, LinkReport } from "./records";
import { bodyHashInput, type EmailWords, renderEmail } from "./render-email";

/** A working copy as it is frozen: the edit alone. Its quotes are read from the sources again when it is taken up. */
interface FrozenEdit {
  format: "imprimatur-working-draft/1";
  base: string | null;
  edit: DraftEdit;
}

/** What an edit comes to, before anything is written. */
export interface Weighed {
  /** The command that would bring it in, or what stands against making one. */
  made: Made;
  facts: readonly FactFault[];
  fields: readonly FieldFault[];
  /** Whether the page says something else than by the present draft; null while the edit is not whole. */
  changesPage: boolean | null;
  /** Whether the mailing's body is another one. */
  changesBody: boolean | null;
}

/** The drafts of the briefing as an editor works on them: read, kept beside, weighed and brought in. */
export class BriefingDraftDesk {
  /** The sources last laid out; the bytes of a collection never change, and laying them out may take longer than a key press. */
  private thawed: { key: string; sources: readonly ThawedSource[] } | null = null;

  constructor(private readonly ports: Pick<BriefingPorts, "blobs" | "parser">) {}

  /** @returns null while nothing was drafted and no drafting has stopped for a person. */
  open(view: TaskView): OpenDraft | null {
    const { task } = view;
    const hash = presentDraft(task);
    if (hash === null && task.blockedReason !== "draft_structure") return null;
    const base = this.base(hash);
    const sources = this.sources(view);
    const draft = readEdit(base, base === null ? EMPTY : editOfDraft(base), sources);
    const named = workingDraftOf(task);
    return {
      hash,
      draft,
      faults: this.faults(view, draft, sources),
      sources: sources.map(({ config, snapshotHash }) => ({ id: config.id, title: config.title, snapshotHash })),
      working: named === null ? null : { ...named, ...this.working(view, named.hash, sources) },
    };
  }

  pick(view: TaskView, span: QuoteSpan): PickedQuote {
    return pickQuote(span, this.sources(view));
  }

  keep(view: TaskView, seen: EditSeen, edit: DraftEdit): Command & { type: "keep_working_draft" } {
    const { draftHash: base, workingHash: before } = seen;
    const frozen: FrozenEdit = { format: "imprimatur-working-draft/1", base, edit };
    const artifact = freezeJson(this.ports.blobs, "working-draft", frozen);
    return { type: "keep_working_draft", taskId: view.task.id, artifact, base: base as Sha256 | null, before };
  }

  /** The edit as the next draft; only from the draft and the working copy that the editor had before them. */
  use(view: TaskView, seen: EditSeen, edit: DraftEdit): Made {
    return this.judge(view, seen, edit, this.ports.blobs).made;
  }

  weigh(view: TaskView, seen: EditSeen, edit: DraftEdit): Weighed {
    const { made, draft, facts, fields } = this.judge(view, seen, edit, nothingKept(this.ports.blobs));
    const none = { changesPage: null, changesBody: null };
    return { made, facts, fields, ...(draft === null ? none : this.changes(view, draft)) };
  }

  /** The event that an edit would be, whatever is in it: for asking whether one may be made now at all. */
  transition(view: TaskView): Made {
    const artifact = freezeJson(nothingKept(this.ports.blobs), "draft", {});
    return { command: draftTransition(view, artifact) };
  }

  private judge(view: TaskView, seen: EditSeen, edit: DraftEdit, blobs: BlobStore) {
    const sources = this.sources(view);
    const base = this.base(presentDraft(view.task));
    const read = readEdit(base, edit, sources);
    const facts = quoteFaults(read.facts, sources);
    const found = documentOfEdit(base?.language ?? view.task.language, read);
    const fields = "faults" in found ? faultsOfWords(found.faults, facts) : [];
    const draft = "draft" in found && facts.length === 0 ? found.draft : null;
    const missing: Unmet[] = [
      ...replacedSince(view, seen),
      ...facts.map(({ factId }) => unmet("quote_not_found", { fact: factId })),
      ...(fields.length === 0 ? [] : [unmet("draft_invalid", { faults: fields.map(nameOf).join("; ") })]),
    ];
    if (draft === null && missing.length === 0) missing.push(unmet("draft_invalid", { faults: "draft" }));
    const made: Made =
      missing.length > 0 || draft === null
        ? { unmet: missing }
        : { command: draftTransition(view, freezeJson(blobs, "draft", draft)) };
    return { made, draft, facts, fields };
  }

  /** Held against the present draft by the two hashes that approvals are bound to. */
  private changes(view: TaskView, draft: DraftDocument): { changesPage: boolean; changesBody: boolean } {
    const { task } = view;
    const before = this.base(presentDraft(task));
    if (before === null) return { changesPage: true, changesBody: true };
    const wordsHash = contextOf(task, "emailWordsHash");
    const words = wordsHash === null ? null : thawJson<EmailWords>(this.ports.blobs, wordsHash);
    const hashes = (one: DraftDocument) => {
      const document = documentOf(task.edition, one, this.sources(view));
      // The address is not decided by a draft, so any will do on both sides.
      const email = renderEmail({ document, email: words ?? one.email, pageUrl: "https://page.invalid/" });
      return [sha256(canonicalContentBytes(document)), sha256(bodyHashInput(email))];
    };
    const [was, is] = [hashes(before), hashes(draft)];
    return { changesPage: was[0] !== is[0], changesBody: was[1] !== is[1] };
  }

  private base(hash: string | null): DraftDocument | null {
    return hash === null ? null : thawJson<DraftDocument>(this.ports.blobs, hash);
  }

  private working(view: TaskView, hash: string, sources: readonly ThawedSource[]) {
    const { base, edit } = thawJson<FrozenEdit>(this.ports.blobs, hash);
    const draft = readEdit(this.base(base), edit, sources);
    return { draft, faults: this.faults(view, draft, sources) };
  }

  private faults(view: TaskView, draft: ReadDraft, sources: readonly ThawedSource[]): FactFault[] {
    const quotes = quoteFaults(draft.facts, sources);
    const broken = this.brokenLinks(view);
    const links = draft.facts.flatMap(({ id, url }): FactFault[] =>
      broken.has(url) && !quotes.some(({ factId }) => factId === id) ? [{ factId: id, kind: "link_broken" }] : [],
    );
    return [...quotes, ...links];
  }

  /** The addresses that stopped the last check. */
  private brokenLinks(view: TaskView): ReadonlySet<string> {
    const report = view.artifacts("link-report").at(-1);
    if (view.task.blockedReason !== "link_failure" || !report) return new Set();
    const { links } = thawJson<LinkReport>(this.ports.blobs, report.hash);
    return new Set(links.filter(({ verdict }) => verdict === "broken").map(({ url }) => url));
  }

  private sources(view: TaskView): readonly ThawedSource[] {
    const checkpoint = view.step("collecting")?.checkpoint as Partial<CollectCheckpoint> | undefined;
    const hashes = Object.entries(checkpoint?.sources ?? {}).map(([id, { hash }]) => `${id} ${hash}`);
    const key = [view.task.id, ...hashes].join("\n");
    if (this.thawed?.key !== key) this.thawed = { key, sources: thawSources(this.ports, view, readOrigins(view)) };
    return this.thawed.sources;
  }
}

const EMPTY: DraftEdit = { title: "", intro: "", email: { subject: "", intro: "" }, facts: [] };

const nameOf = ({ factId, field, kind }: FieldFault): string => [factId ?? "draft", field, kind].join(" ");

/** What was there when the editor began and is not any more. */
function replacedSince({ task }: TaskView, seen: EditSeen): Unmet[] {
  const draft = presentDraft(task);
  const working = workingDraftOf(task)?.hash ?? null;
  return [
    ...(draft === seen.draftHash ? [] : [unmet("draft_changed", { seen: seen.draftHash ?? "—", now: draft ?? "—" })]),
    ...(working === seen.workingHash
      ? []
      : [unmet("working_draft_changed", { seen: seen.workingHash ?? "—", now: working ?? "—" })]),
  ];
}

/** Names bytes by their hash and puts nothing down. */
const nothingKept = (blobs: BlobStore): BlobStore => ({
  get: (hash) => blobs.get(hash),
  has: (hash) => blobs.has(hash),
  put: (bytes) => sha256(bytes),
});
