import { definitionHash, type PipelineDefinition } from "../../main/domain/definition";
import { GUARD_NAMES } from "../../main/domain/guards/names";
import { canonicalJson, sha256 } from "../../main/domain/hashing";
import { Bug, type Sha256 } from "../../main/domain/ids";
import type { Sqlite, Statement } from "../connect";
import { codeOf } from "../problem";
import { isUnavailable } from "./unavailable";

/** A definition that was not taken up. No task can begin on it; everything else goes on. */
export interface RefusedDefinition {
  /** `definition_conflict`: the journal has another one under the same name and version (case C7). */
  code: "definition_conflict" | "unavailable";
  name: string;
  version: number;
  refusedHash: Sha256;
  /** The one that stays, where that is the reason. */
  keptHash: Sha256 | null;
}

/** Pipeline definitions by their hash: what this program brings, and what tasks began with under earlier ones. */
export class Definitions {
  private readonly known = new Map<Sha256, PipelineDefinition>();
  private readonly refusals = new Map<Sha256, { definition: PipelineDefinition; refused: RefusedDefinition }>();
  private readonly byName: Statement;
  private readonly byHash: Statement;
  private readonly insert: Statement;

  constructor(
    sqlite: Sqlite,
    private readonly now: () => number,
  ) {
    this.byName = sqlite.prepare("SELECT hash FROM pipeline_definition WHERE name = ? AND version = ?").pluck();
    this.byHash = sqlite.prepare("SELECT body FROM pipeline_definition WHERE hash = ?").pluck();
    this.insert = sqlite.prepare(
      "INSERT INTO pipeline_definition (hash, name, version, body, registered_at) VALUES (?, ?, ?, ?, ?) ON CONFLICT (hash) DO NOTHING",
    );
  }

  /** @returns null when it is kept by its hash; else why not. Asking twice changes nothing. */
  register(definition: PipelineDefinition): RefusedDefinition | null {
    const hash = definitionHash(definition);
    const refused = this.store(definition, hash);
    if (refused === null) {
      this.known.set(hash, definition);
      this.refusals.delete(hash);
    } else this.refusals.set(hash, { definition, refused });
    return refused;
  }

  get refused(): readonly RefusedDefinition[] {
    return [...this.refusals.values()].map(({ refused }) => refused);
  }

  /** For a new task: only what this program brought, and what could not be written at the start is tried again. */
  forNewTask(hash: Sha256): PipelineDefinition | null {
    const waiting = this.refusals.get(hash);
    if (waiting?.refused.code === "unavailable") this.register(waiting.definition);
    return this.known.get(hash) ?? null;
  }

  /**
   * What a task began with, also where this program has a newer one by now.
   * @throws Bug when the journal does not have it, or it asks for what this program cannot do.
   */
  of(hash: Sha256): PipelineDefinition {
    const known = this.known.get(hash);
    if (known) return known;
    const body = this.byHash.get(hash) as string | undefined;
    if (body === undefined || sha256(body) !== hash)
      throw new Bug(`a task runs on a definition that is not there: ${hash}`);
    const definition = JSON.parse(body) as PipelineDefinition;
    const guards = [
      ...definition.transitions.flatMap((rule) => rule.guards),
      ...Object.values(definition.blocked).flatMap((rule) => rule.waysOut.flatMap((way) => way.guards)),
    ];
    const strange = guards.filter((name) => !GUARD_NAMES.includes(name));
    if (strange.length > 0)
      throw new Bug(
        `${definition.name} ${definition.version} needs guards that this program does not have: ${strange}`,
      );
    this.known.set(hash, definition);
    return definition;
  }

  private store(definition: PipelineDefinition, hash: Sha256): RefusedDefinition | null {
    const { name, version } = definition;
    const kept = (this.byName.get(name, version) as Sha256 | undefined) ?? null;
    const refuse = (code: RefusedDefinition["code"]) => ({ code, name, version, refusedHash: hash, keptHash: kept });
    if (kept !== null) return kept === hash ? null : refuse("definition_conflict");
    try {
      this.insert.run(hash, name, version, canonicalJson(definition), this.now());
      return null;
    } catch (error) {
      // Another process may have registered another one since we looked.
      if (codeOf(error) === "SQLITE_CONSTRAINT_UNIQUE") return this.store(definition, hash);
      if (isUnavailable(error)) return refuse("unavailable");
      throw error;
    }
  }
}
