import type { Chain } from "./action-chain";
import { BRANCH_STATES, isTerminal, type PipelineDefinition, rulesFor } from "./definition";
import { GUARD_NAMES } from "./guards/names";
import { RUNBOOKS } from "./runbooks";
import type { WorkflowPackage } from "./workflow-package";

/** Something in a package that cannot be: where it stands, and what to do about it. */
export interface WorkflowFault {
  file: "definition.json" | "actions.json" | "workflow.json";
  field: string;
  wrong: string;
}

/** The reason for which a chain waits for a person's word about sending anew. */
const HELD = "outcome_unknown";

/** Everything that is wrong with a package besides its form; nothing where it may be judged and registered. */
export function validateWorkflow(given: WorkflowPackage, scenarios: ReadonlySet<string>): WorkflowFault[] {
  const { definition, chain, runbooks, faults } = given;
  const known: Readonly<Record<string, { version: number } | undefined>> = RUNBOOKS;
  return [
    ...validateStates(definition),
    ...validatePeople(definition),
    ...validateActionsOf(given),
    ...(chain === null ? [] : validateChain(definition, chain)),
    ...runbooks.flatMap(({ kind, version }, index) => {
      const own = known[kind];
      if (own?.version === version) return [];
      const has = own === undefined ? "no such runbook" : `version ${own.version} of it`;
      return [fault("workflow.json", `runbooks[${index}]`, `${kind} version ${version}: this program has ${has}`)];
    }),
    ...faults.flatMap((id, index) =>
      scenarios.has(id) ? [] : [fault("workflow.json", `faults[${index}]`, `${id} is no scenario of this program`)],
    ),
  ];
}

const fault = (file: WorkflowFault["file"], field: string, wrong: string): WorkflowFault => ({ file, field, wrong });
const inDefinition = (field: string, wrong: string) => fault("definition.json", field, wrong);

function validateStates(definition: PipelineDefinition): WorkflowFault[] {
  const { states, initialState, transitions, blocked } = definition;
  const isState = (state: string) => states.includes(state);
  const lists = ["workStages", "outsideStates", "cancelsPreparedOnLeaving", "releasesLease", "humanStates"] as const;
  const guards: readonly string[] = GUARD_NAMES;
  const strange = (field: string, state: string) =>
    isState(state) ? [] : [inDefinition(field, `"${state}" is none of the states`)];
  const notAGuard = (field: string, name: string) =>
    guards.includes(name) ? [] : [inDefinition(field, `"${name}" is no guard of this program`)];
  return [
    ...strange("initialState", initialState),
    ...(states.some(isTerminal)
      ? []
      : [inDefinition("states", "none of them is an end: succeeded, compensated or closed")]),
    ...lists.flatMap((list) => definition[list].flatMap((state, at) => strange(`${list}[${at}]`, state))),
    ...transitions.flatMap((rule, index) => {
      const field = `transitions[${index}]`;
      const to = rule.to.startsWith("@") || rule.to === "=" ? [] : strange(`${field}.to`, rule.to);
      const reasons = (rule.reasons ?? []).filter((reason) => blocked[reason] === undefined);
      return [
        ...rule.from.flatMap((state, at) => strange(`${field}.from[${at}]`, state)),
        ...to,
        ...rule.guards.flatMap((name, at) => notAGuard(`${field}.guards[${at}]`, name)),
        ...reasons.map((reason) =>
          inDefinition(`${field}.reasons`, `"${reason}" has no entry under blocked: who owns it?`),
        ),
      ];
    }),
    ...Object.entries(blocked).flatMap(([reason, rule]) => [
      ...(rule.waysOut.length === 0 ? [inDefinition(`blocked.${reason}.waysOut`, "a block needs a way out")] : []),
      ...rule.waysOut.flatMap((way, at) => [
        ...(way.to.startsWith("@") ? [] : strange(`blocked.${reason}.waysOut[${at}].to`, way.to)),
        ...way.guards.flatMap((name) => notAGuard(`blocked.${reason}.waysOut[${at}].guards`, name)),
      ]),
    ]),
    ...deadEnds(definition).map((state) =>
      inDefinition("transitions", `nothing leads out of "${state}", and it is no end`),
    ),
  ];
}

/** States that a task could never leave. */
function deadEnds({ states, transitions }: PipelineDefinition): string[] {
  const branches: readonly string[] = BRANCH_STATES;
  return states.filter(
    (state) => !isTerminal(state) && !branches.includes(state) && !transitions.some(({ from }) => from.includes(state)),
  );
}

function validatePeople(definition: PipelineDefinition): WorkflowFault[] {
  const { owner, backupOwner, undoFailuresPerDay, deadlines, blocked } = definition;
  return [
    ...(owner.trim() === "" ? [inDefinition("owner", "name whoever answers for it")] : []),
    ...(backupOwner.trim() === "" || backupOwner === owner
      ? [inDefinition("backupOwner", "name somebody else than the owner: one of the two is always away")]
      : []),
    ...(undoFailuresPerDay < 1
      ? [inDefinition("undoFailuresPerDay", "at least one undo a day has to be possible")]
      : []),
    ...(/^([01]\d|2[0-3]):[0-5]\d$/.test(deadlines.dueLocal)
      ? []
      : [inDefinition("deadlines.dueLocal", "write the local time of day as HH:MM")]),
    ...Object.entries(blocked).flatMap(([reason, rule]) =>
      rule.owner.trim() === "" ? [inDefinition(`blocked.${reason}.owner`, "name whose the block is")] : [],
    ),
  ];
}

function validateActionsOf({ actions, definition }: WorkflowPackage): WorkflowFault[] {
  return actions.flatMap(({ name, step }, index) => [
    ...(actions.findIndex((other) => other.name === name) === index
      ? []
      : [fault("actions.json", `actions[${index}].name`, `"${name}" stands there twice`)]),
    ...(definition.states.includes(step)
      ? []
      : [fault("actions.json", `actions[${index}].step`, `"${step}" is none of the states`)]),
  ]);
}

function validateChain(definition: PipelineDefinition, chain: Chain): WorkflowFault[] {
  const { states, transitions, blocked } = definition;
  const events = ["CompensationStarted", "Compensated", chain.begins.event, chain.begins.blockedEvent, chain.doneEvent];
  const unknown = events.filter((event) => !transitions.some((rule) => rule.event === event));
  const places = chain.actions.map(({ place }) => place);
  const twice = places.find((place, index) => places.indexOf(place) !== index);
  const wrongMessages = chain.actions.filter(({ message, phase }) => (phase === "deliver") !== (message !== null));
  return [
    ...(states.includes(chain.stage)
      ? []
      : [fault("actions.json", "chain.stage", `"${chain.stage}" is none of the states`)]),
    ...validateHeld(definition, chain),
    ...unknown.map((event) => fault("actions.json", "chain", `the definition has no transition for ${event}`)),
    ...(blocked[chain.begins.blockedReason] === undefined
      ? [fault("actions.json", "chain.begins.blockedReason", "the definition's blocked has no such reason")]
      : []),
    ...(twice === undefined
      ? []
      : [fault("actions.json", "chain.actions", `two actions stand at ${twice}: a place is written once`)]),
    ...wrongMessages.map(({ name }) =>
      fault("actions.json", `chain ${name}`, "a delivery needs a message, and a state to reach has none"),
    ),
  ];
}

/** Whatever may wait for a person has to find its way back to where it waited, with what waited behind it (domain 11). */
function validateHeld(definition: PipelineDefinition, { stage, heldEvent }: Chain): WorkflowFault[] {
  const rule = rulesFor(definition, stage, heldEvent);
  const ways = definition.blocked[HELD]?.waysOut ?? [];
  const leadsBack = ways.some(
    ({ to, guards }) => (to === "@resume" || to === stage) && !guards.includes("nothing_unsettled"),
  );
  return [
    ...(rule?.to === "blocked" && rule.reasons?.includes(HELD)
      ? []
      : [fault("actions.json", "chain.heldEvent", `needs a transition from "${stage}" to blocked, reason ${HELD}`)]),
    ...(leadsBack
      ? []
      : [
          inDefinition(
            `blocked.${HELD}.waysOut`,
            `one has to lead back to "${stage}", and not wait for what is only prepared (nothing_unsettled)`,
          ),
        ]),
    ...(definition.cancelsPreparedOnLeaving.includes(stage)
      ? [inDefinition("cancelsPreparedOnLeaving", `without "${stage}": what waits behind a held write goes on with it`)]
      : []),
  ];
}
