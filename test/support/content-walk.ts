import { definitionHash } from "../../main/domain/definition";
import { derivedId } from "../../main/domain/hashing";
import { asTaskId, type TaskId } from "../../main/domain/ids";
import { taskKeyOf } from "../../main/domain/keys";
import { deadlineOf } from "../../main/domain/schedule";
import { briefingDefinition } from "../../main/pipeline/briefing/definition";
import { contentApproval, type Made } from "../../main/pipeline/briefing/desk";
import { checkDraft, type DraftDocument } from "../../main/pipeline/briefing/draft-schema";
import { freezeBytes, freezeJson, freezeText, thawJson, thawText } from "../../main/pipeline/briefing/frozen";
import { publishIntents } from "../../main/pipeline/briefing/publish";
import type { ContentPackage, SourceProgress } from "../../main/pipeline/briefing/records";
import { briefingPorts } from "./briefing-ports";
import { type CheckFindings, type FrozenSource, freezePackage } from "./freeze-package";
import { draftFrom, feedBytes, SAMPLE_SOURCES, type SampleSource } from "./sample-sources";
import { TaskWalk } from "./task-walk";
import type { World } from "./world";

export interface EditionOptions {
  edition?: string;
  taskVersion?: number;
  supersedes?: TaskId;
  sources?: readonly SampleSource[];
  deadlineAt?: number;
}

/** Enough for every stage, and for the window kept for a person. */
const WALK_MS = 2.5 * 3_600_000;

/** One edition from its creation to its proved page, by commands as the executor and the editor would give them. */
export class ContentWalk extends TaskWalk {
  readonly ports;
  readonly edition: string;
  private readonly sources: readonly SampleSource[];
  private readonly frozen: FrozenSource[] = [];

  constructor(world: World, options: EditionOptions = {}) {
    const { edition = "2026-W30", taskVersion = 1 } = options;
    const taskKey = taskKeyOf(briefingDefinition.name, edition, "zh-CN");
    super(world, asTaskId(derivedId("t", taskKey, taskVersion)));
    this.edition = edition;
    this.sources = options.sources ?? SAMPLE_SOURCES;
    this.ports = briefingPorts(world);
    const { dueLocal, zone } = briefingDefinition.deadlines;
    const create: Parameters<World["must"]>[0] = {
      type: "create_task",
      taskKey,
      taskVersion,
      pipeline: briefingDefinition.name,
      definitionHash: definitionHash(briefingDefinition),
      edition,
      language: "zh-CN",
      // An edition of the past is walked as if its morning were now.
      deadlineAt: options.deadlineAt ?? Math.max(deadlineOf(edition, dueLocal, zone), world.now + WALK_MS),
      zone,
      supersedesTaskId: options.supersedes ?? null,
      context: { startAt: world.now },
    };
    world.must(create, "editor:lin");
  }

  start(): void {
    this.executor({ type: "transition", taskId: this.taskId, event: "CollectStarted" });
  }

  /** Reads every source in one go; those named here fail. */
  readSources(failed: Readonly<Record<string, Pick<SourceProgress, "state" | "errorCode" | "nextAt">>> = {}): void {
    const none = {
      nextAt: null,
      hash: null,
      fetchedAt: null,
      errorCode: null,
      errorClass: null,
      items: null,
      newItems: null,
    };
    const artifacts = [];
    const progress: Record<string, SourceProgress> = {};
    this.frozen.length = 0;
    for (const source of this.sources) {
      const { id: sourceId, title, url, format, licence, required } = source.config;
      const failure = failed[sourceId];
      if (failure) {
        progress[sourceId] = { ...none, required, attempts: 3, errorClass: "transient", ...failure };
        continue;
      }
      const fetchedAt = this.world.now;
      const origin = {
        sourceId,
        title,
        url,
        finalUrl: url,
        contentType: "application/feed+json",
        format,
        licence,
        required,
        fetchedAt,
      };
      const artifact = freezeBytes(
        this.world.blobs,
        "source-snapshot",
        feedBytes(source),
        "application/feed+json",
        origin,
      );
      artifacts.push(artifact);
      this.frozen.push({ source, hash: artifact.hash });
      progress[sourceId] = {
        ...none,
        state: "frozen",
        required,
        attempts: 1,
        hash: artifact.hash,
        fetchedAt,
        items: 3,
        newItems: 3,
      };
    }
    const round = this.view().step("collecting")?.round ?? 1;
    this.executor({
      type: "record_step",
      taskId: this.taskId,
      step: "collecting",
      checkpoint: { round, sources: progress },
      calls: this.sources.length,
      artifacts,
    });
  }

  freezeSources(failed: Parameters<ContentWalk["readSources"]>[0] = {}): void {
    this.readSources(failed);
    this.executor({
      type: "transition",
      taskId: this.taskId,
      event: "SourcesFrozen",
      context: { sourcesFrozen: this.frozen.length },
    });
  }

  draft(): void {
    const checked = checkDraft(draftFrom(this.edition, this.frozen));
    if (checked.kind === "invalid") throw new Error(checked.faults.join("; "));
    const artifact = freezeJson(this.world.blobs, "draft", checked.draft);
    const context = {
      draftHash: artifact.hash,
      editedDraftHash: null,
      factCount: checked.draft.facts.length,
      shortfall: 0,
    };
    this.executor({ type: "transition", taskId: this.taskId, event: "DraftFrozen", artifacts: [artifact], context });
  }

  /** Freezes the package of the present draft, with what the check found besides. */
  check(findings: CheckFindings = {}): void {
    const { task } = this.view();
    const draftHash = String(task.context["editedDraftHash"] ?? task.context["draftHash"]);
    const draft = thawJson<DraftDocument>(this.world.blobs, draftHash);
    const drafted = { draft, draftHash, sources: this.frozen };
    const { artifacts, context } = freezePackage(this.ports, task, drafted, findings);
    this.executor({ type: "transition", taskId: this.taskId, event: "CheckPassed", artifacts, context });
  }

  /** An edit of the title, as a draft of its own. */
  edit(title: string): void {
    const { blobs } = this.world;
    const draft = thawJson<DraftDocument>(blobs, String(this.view().task.context["draftHash"]));
    const artifact = freezeJson(blobs, "draft", { ...draft, title });
    const context = { editedDraftHash: artifact.hash };
    this.person({
      type: "transition",
      taskId: this.taskId,
      event: "ArtifactChanged",
      reason: "edited",
      artifacts: [artifact],
      context,
    });
  }

  package(): ContentPackage {
    return thawJson(this.world.blobs, String(this.view().task.context["packageHash"]));
  }

  approveContent(): void {
    const { contentHash, warnings } = this.package();
    const packageHash = String(this.view().task.context["packageHash"]);
    const comparedWith = { choice: "nothing", hash: null };
    this.made(
      contentApproval(this.ports, this.view(), {
        packageHash,
        contentHash,
        comparedWith,
        acknowledged: warnings,
        readSections: [],
      }),
    );
  }

  startPublishing(): void {
    const operations = publishIntents(this.ports, this.view());
    this.executor({ type: "transition", taskId: this.taskId, event: "PublishStarted", operations });
  }

  /** Sends, is confirmed, proves the page, and moves on. */
  publish(remoteId = "18427"): void {
    const operation = this.view()
      .operations()
      .filter((row) => row.kind === "publish")
      .at(-1);
    if (!operation) throw new Error("nothing was prepared");
    this.markSent(operation);
    this.answer(operation.id, "confirmed", { remoteId, url: this.package().plannedUrl });
    this.prove();
    this.executor({ type: "transition", taskId: this.taskId, event: "Published" });
  }

  /** One probe of the public page; its bytes are the approved page's, and then match, unless the test says otherwise. */
  prove(publicHtml?: string, matches = publicHtml === undefined): void {
    const html = publicHtml ?? thawText(this.world.blobs, this.package().pageHash);
    const capture = freezeText(this.world.blobs, "page-capture", html, "text/html; charset=utf-8");
    const attempt = Number(this.view().task.context["probeAttempts"] ?? 0) + 1;
    const payload = {
      attempt,
      matches,
      httpStatus: 200,
      textEqual: matches,
      titleEqual: matches,
      missingLinks: matches ? 0 : 1,
    };
    const note = {
      type: "note" as const,
      taskId: this.taskId,
      operationId: null,
      payload,
      evidenceRefs: [capture.hash],
    };
    const nextProbeAt = this.world.now + 20_000;
    this.executor({
      ...note,
      event: "ProbeAttempted",
      artifacts: [capture],
      context: { probeAttempts: attempt, nextProbeAt },
    });
    if (!matches) return;
    const { plannedUrl: pageUrl, contentHash: verifiedContentHash } = this.package();
    const context = { captureHash: capture.hash, pageUrl, verifiedContentHash, verifiedAt: this.world.now };
    this.executor({ ...note, event: "PageVerified", context });
  }

  protected made(made: Made): void {
    if ("unmet" in made) throw new Error(JSON.stringify(made.unmet));
    this.person(made.command);
  }
}
