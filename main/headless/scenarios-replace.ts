import { createLinkChecker } from "../adapters/links";
import type { Drafter, DraftResult, SourceReader } from "../domain/ports";
import type { BriefingPorts } from "../pipeline/briefing/ports";
import type { Replacements } from "../sandbox/scenarios/stage";

/** Longer than any scenario takes. */
const NEVER_MS = 3_600_000;

/** How often what was replaced has failed already: the outside goes on where it was when a process of ours dies. */
export interface Spent {
  names: number;
  drafts: number;
}

/** Puts in the place of the outside what a scenario says; everything else stays as the program has it. */
export function replaceOutside(ports: BriefingPorts, replaced: Replacements, spent: Spent): BriefingPorts {
  const { nameNotFound, drafter, mailKeyRetentionMs, twoPhase } = replaced;
  return {
    ...ports,
    // The patience with a HEAD is real time; here a silent link is waited for on the workspace's clock alone.
    links: createLinkChecker({ allowPrivateHosts: true, headPatienceMs: NEVER_MS }),
    ...(nameNotFound ? { reader: withoutName(ports.reader, nameNotFound, spent) } : {}),
    ...(drafter ? { drafter: brokenDrafter(ports.drafter, drafter, spent) } : {}),
    ...(mailKeyRetentionMs === undefined ? {} : { mail: forgetful(ports.mail, mailKeyRetentionMs) }),
    ...(twoPhase ? { cms: { ...ports.cms, twoPhase } } : {}),
  };
}

/** A name that is never found (RFC 6761) stands in for the source's own: the lookup that fails is a real one. */
function withoutName(reader: SourceReader, fault: { source: string; times: number }, spent: Spent): SourceReader {
  return {
    read: (source, context) => {
      if (source.id !== fault.source || spent.names >= fault.times) return reader.read(source, context);
      spent.names += 1;
      const url = new URL(source.url);
      url.hostname = "briefing-source.invalid";
      return reader.read({ ...source, url: url.href }, context);
    },
  };
}

function brokenDrafter(drafter: Drafter, fault: NonNullable<Replacements["drafter"]>, spent: Spent): Drafter {
  const spoil = async (answer: Promise<DraftResult>): Promise<DraftResult> => {
    const result = await answer;
    if (result.kind !== "drafted") return result;
    if ("invented" in fault) return { kind: "drafted", raw: withInventedQuote(result.raw) };
    if (spent.drafts >= fault.malformed) return result;
    spent.drafts += 1;
    return { kind: "drafted", raw: { ...(result.raw as object), facts: "nine facts, as asked" } };
  };
  return {
    name: drafter.name,
    draft: (input, context) => spoil(drafter.draft(input, context)),
    repair: (input, faults, context) => spoil(drafter.repair(input, faults, context)),
  };
}

/** The last fact quotes words that its source does not have. */
function withInventedQuote(raw: unknown): unknown {
  const draft = raw as { facts: readonly { quote: string }[] };
  const last = draft.facts.length - 1;
  const facts = draft.facts.map((fact, index) =>
    index === last ? { ...fact, quote: fact.quote.replace(/^../, "Not") } : fact,
  );
  return { ...draft, facts };
}

/** A provider that says for how long it remembers a key; past that only questions are safe. */
function forgetful(mail: BriefingPorts["mail"], keyRetentionMs: number): BriefingPorts["mail"] {
  const { adapter } = mail;
  const manifest = { ...adapter.manifest, query: { ...adapter.manifest.query, keyRetentionMs } };
  return {
    ...mail,
    adapter: {
      manifest,
      send: (request, context) => adapter.send(request, context),
      look: (query, context) => adapter.look(query, context),
      report: (query, context) => adapter.report(query, context),
    },
  };
}
