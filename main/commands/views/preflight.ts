import { readPreflightRows } from "../../../db/queries/preflight";
import type { Output } from "../../../preload/contract";
import { idempotencyCoverage } from "../../domain/metrics-coverage";
import { answerPreflight, isProved, preflightVerdict } from "../../domain/preflight";
import type { ViewPorts } from "./view-ports";

type Preflight = Output<"health.get">["preflight"][number];

/** The nine questions for the pipeline that this workspace runs, answered from its definition and its own journal (domain 13). */
export function preflightView(ports: ViewPorts): Preflight {
  const { definition } = ports.start;
  const answers = answerPreflight({
    ...readPreflightRows(ports.queries),
    definition,
    coverage: idempotencyCoverage(ports.pipeline.writes, ports.manifestOf),
    violations: ports.checks().invariantViolations,
    now: ports.clock().now,
  });
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
