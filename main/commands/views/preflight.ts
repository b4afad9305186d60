import { readPreflightRows } from "../../../db/queries/preflight";
import type { Output } from "../../../preload/contract";
import { idempotencyCoverage } from "../../domain/metrics-coverage";
import { answerPreflight, isProved, type PreflightFacts, preflightVerdict } from "../../domain/preflight";
import type { RunWorkflow, ViewPorts } from "./view-ports";

type Preflight = Output<"health.get">["preflight"][number];

/** The nine questions for each workflow that the program runs, answered from its definition and the journal (domain 13). */
export function preflightViews(ports: ViewPorts): Preflight[] {
  const { newestTasks, ...rows } = readPreflightRows(ports.queries);
  const about = { ...rows, violations: ports.checks().invariantViolations, now: ports.clock().now };
  return ports.workflows.map((workflow) =>
    preflightOf(workflow, { ...about, newestTask: newestTasks.get(workflow.definition.name) ?? null }),
  );
}

function preflightOf(
  { definition, writes, manifestOf }: RunWorkflow,
  about: Omit<PreflightFacts, "definition" | "coverage">,
): Preflight {
  const answers = answerPreflight({ ...about, definition, coverage: idempotencyCoverage(writes, manifestOf) });
  return {
    pipeline: definition.name,
    version: definition.version,
    verdict: preflightVerdict(answers),
    answers: answers.map(({ question, proofs, gaps }) => ({
      question,
      isProved: isProved({ proofs, gaps }),
      proofs: [...proofs],
      gaps: gaps.map(({ code, names }) => ({ code, names: [...names] })),
    })),
  };
}
