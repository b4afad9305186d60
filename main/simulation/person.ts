import type { ExecuteResult } from "../../db/journal";
import { approveContent } from "../commands/approve-content";
import { approveSend } from "../commands/approve-send";
import { closeProtectively } from "../commands/close-protectively";
import { closeRecipients } from "../commands/close-recipients";
import type { Desk } from "../commands/desk";
import { editContent } from "../commands/edit-content";
import { editEmail } from "../commands/edit-email";
import { giveVerdict } from "../commands/give-verdict";
import { rejectContent } from "../commands/reject-content";
import { rejectSend } from "../commands/reject-send";
import { revokeApproval } from "../commands/revoke-approval";
import { unblock } from "../commands/unblock";
import { isOpenAccount } from "../domain/open-account";
import type { Clock } from "../domain/ports";
import type { TaskRow } from "../domain/records";
import type { Scheduler } from "../engine/scheduler";
import { sendConfirmation } from "../pipeline/briefing/desk";
import type { DraftDocument } from "../pipeline/briefing/draft-schema";
import type { BriefingPorts } from "../pipeline/briefing/ports";
import { Crash } from "./crash";
import type { Dice } from "./dice";
import { lookAtCalendar } from "./person-calendar";
import { closeDuplicate } from "./person-incident";
import { undoFurther, undoPerhaps } from "./person-undo";
import type { RemoteCore } from "./remote-core";

/** What a person of a world can reach: any running program, the remotes' own screens, and their watch. */
export interface Surroundings {
  clock: Clock;
  dice: Dice;
  /** Null while no program runs. */
  desk(): Desk | null;
  /** The timer of a running program, and what it reads and writes with. */
  scheduler(): Scheduler | null;
  ports(): BriefingPorts | null;
  isClockRight(): boolean;
  edition(): string;
  nextEdition(): string;
  core: RemoteCore;
  login: { isValid: boolean };
  draft(hash: string): DraftDocument;
  /** True until the people of this week go home. */
  isOpen(): boolean;
  /** A person who finds everything right, for worlds that need their edition to get somewhere. */
  isWilling(): boolean;
  note(text: string): void;
}

const MINUTE = 60_000;
const ASKS_FOR_VERDICT: ReadonlySet<string> = new Set(["outcome_unknown", "remote_conflict", "duplicate_remote"]);

/** Looks in now and then, reads, decides, clicks twice, changes their mind, and goes away. */
export class Person {
  constructor(private readonly around: Surroundings) {}

  async work(): Promise<void> {
    const { around } = this;
    while (around.isOpen()) {
      await around.clock.sleep(around.dice.between(1, 12) * MINUTE);
      const desk = around.desk();
      if (desk === null || !around.isOpen() || !this.likely(0.85)) continue;
      await this.unlessItDies(() => this.lookAtTimer(desk));
      for (const task of desk.journal.reader.liveTasks()) await this.unlessItDies(() => this.attend(desk, task));
    }
  }

  /** The program may die under the click: then nobody knows what became of it, and one looks again later. */
  private async unlessItDies(act: () => Promise<void> | void): Promise<void> {
    try {
      await act();
    } catch (error) {
      if (!(error instanceof Crash)) throw error;
      this.around.note("the program is gone");
    }
  }

  private lookAtTimer(desk: Desk): void {
    const scheduler = this.around.scheduler();
    if (scheduler !== null) lookAtCalendar(this.around, desk, scheduler);
  }

  /** True with probability `p`, and always for the willing. */
  private likely(p: number): boolean {
    const isSo = this.around.dice.chance(p);
    return isSo || this.around.isWilling();
  }

  /** True with probability `p`, and never for the willing. */
  private perhaps(p: number): boolean {
    const isSo = this.around.dice.chance(p);
    return isSo && !this.around.isWilling();
  }

  private async attend(desk: Desk, task: TaskRow): Promise<void> {
    switch (task.state) {
      case "awaiting_content_approval":
        return this.reviewContent(task);
      case "content_approved":
      case "publishing":
      case "sending":
        if (this.perhaps(0.06)) this.revoke(desk, task);
        return;
      case "published":
        if (task.context["sendRejected"] === 1 || this.perhaps(0.03)) this.rewriteEmail(desk, task);
        return;
      case "awaiting_send_approval":
        return this.reviewSend(task);
      case "awaiting_observation":
        return this.closeAccounts(desk, task);
      case "blocked":
        return this.resolve(desk, task);
      case "compensating":
        this.giveVerdicts(desk, task);
        return undoFurther(this.around, desk, task);
      default:
        return;
    }
  }

  private tell(task: TaskRow, what: string, answer: ExecuteResult): void {
    const unmet = "unmet" in answer ? ` ${answer.unmet.map(({ code }) => code).join(",")}` : "";
    this.around.note(`${what} in ${task.state}: ${answer.result}${unmet}`);
  }

  /** Reads first: what is decided then is about what was seen, whatever has happened meanwhile. */
  private async reviewContent(task: TaskRow): Promise<void> {
    await this.around.clock.sleep(this.around.dice.between(1, 9) * MINUTE);
    const desk = this.around.desk();
    if (desk === null) return;
    const common = { taskId: task.id, expectedVersion: task.stateVersion };
    if (this.perhaps(0.06)) return this.tell(task, "reject", rejectContent(desk, { ...common, reason: "not yet" }));
    if (this.perhaps(0.1)) return this.edit(desk, task);
    const { context } = task;
    const warnings = String(context["warnings"] ?? "");
    const seen = {
      packageHash: String(context["packageHash"]),
      contentHash: String(context["contentHash"]),
      acknowledged: warnings.split("\n").filter((id) => id !== ""),
      readSections: ["all"],
      comparedWith: { choice: "nothing", hash: null },
    };
    this.clicks(() => this.tell(task, "approve content", approveContent(this.deskOr(desk), { ...common, ...seen })));
  }

  /** Often once; now and then twice, perhaps in two windows. */
  private clicks(click: () => void): void {
    click();
    if (this.around.dice.chance(0.3)) click();
  }

  private deskOr(desk: Desk): Desk {
    return this.around.desk() ?? desk;
  }

  private edit(desk: Desk, task: TaskRow): void {
    const hash = String(task.context["editedDraftHash"] ?? task.context["draftHash"]);
    const { facts, intro, title } = this.around.draft(hash);
    const kept = this.around.dice.shuffled(facts).slice(0, Math.max(1, facts.length - 1));
    const edit = { title: `${title} (2)`, intro, facts: kept };
    const common = { taskId: task.id, expectedVersion: task.stateVersion };
    const basePackageHash = String(task.context["packageHash"]);
    this.tell(task, "edit", editContent(desk, { ...common, basePackageHash, edit }));
  }

  private revoke(desk: Desk, task: TaskRow): void {
    const approvals = desk.journal.reader.view(task.id)?.approvals() ?? [];
    const approvalId = approvals.at(-1)?.id ?? "";
    this.tell(task, "revoke", revokeApproval(desk, { taskId: task.id, approvalId, reason: "second thoughts" }));
  }

  private rewriteEmail(desk: Desk, task: TaskRow): void {
    const subject = `Briefing ${task.edition}, ${this.around.dice.between(2, 9)}`;
    const words = { subject, intro: "Good morning." };
    const common = { taskId: task.id, expectedVersion: task.stateVersion };
    this.tell(task, "edit e-mail", editEmail(desk, { ...common, ...words }));
  }

  private async reviewSend(task: TaskRow): Promise<void> {
    if (this.perhaps(0.08)) this.unsubscribe();
    await this.around.clock.sleep(this.around.dice.between(1, 5) * MINUTE);
    const desk = this.around.desk();
    if (desk === null) return;
    const common = { taskId: task.id, expectedVersion: task.stateVersion };
    if (this.perhaps(0.05)) return this.tell(task, "reject send", rejectSend(desk, { ...common, reason: "reword" }));
    if (this.perhaps(0.03)) return undoPerhaps(this.around, desk, task);
    const { context } = task;
    const seen = {
      pageUrl: String(context["pageUrl"]),
      bodyHash: String(context["bodyHash"]),
      audienceHash: String(context["audienceHash"]),
      typed: sendConfirmation(task.edition, Number(context["audienceCount"])),
      acknowledgedAdditions: (desk.journal.reader.view(task.id)?.recipients() ?? []).map((row) => row.recipientId),
    };
    this.clicks(() => this.tell(task, "approve send", approveSend(this.deskOr(desk), { ...common, ...seen })));
    if (this.perhaps(0.1)) this.unsubscribe();
  }

  private unsubscribe(): void {
    const desk = this.around.desk();
    if (desk === null) return;
    const recipientId = `r${this.around.dice.between(1, 5)}`;
    const context = { actor: desk.actor, now: desk.clock.now(), trusted: desk.trusted.read() };
    const answer = desk.journal.execute({ type: "suppress_recipient", recipientId, reason: "unsubscribed" }, context);
    this.around.note(`unsubscribe ${recipientId}: ${answer.result}`);
  }

  private closeAccounts(desk: Desk, task: TaskRow): void {
    if (!this.likely(0.6)) return;
    const open = (desk.journal.reader.view(task.id)?.recipients() ?? []).filter(isOpenAccount);
    const recipientIds = open.map((row) => row.recipientId);
    if (recipientIds.length === 0) return;
    const given = { taskId: task.id, recipientIds, evidence: "accepted, no report expected" };
    this.tell(task, "close accounts", closeRecipients(desk, given));
  }

  /** Does what the reason of the block asks for, and leads the task out by one of its ways. */
  private async resolve(desk: Desk, task: TaskRow): Promise<void> {
    if (task.blockedReason === "duplicate_remote" && this.likely(0.7)) await closeDuplicate(this.around, desk, task);
    else this.leadOut(desk, task);
  }

  private leadOut(desk: Desk, task: TaskRow): void {
    const view = desk.journal.reader.view(task.id);
    if (!view || !this.likely(0.7)) return;
    const common = { taskId: task.id, expectedVersion: task.stateVersion };
    if (this.perhaps(0.06))
      return this.tell(task, "close", closeProtectively(desk, { ...common, reason: "no edition this week" }));
    if (this.perhaps(0.06)) return undoPerhaps(this.around, desk, task);
    if (task.blockedReason === "auth") this.around.login.isValid = true;
    if (ASKS_FOR_VERDICT.has(task.blockedReason ?? "")) this.giveVerdicts(desk, task);
    const ways = (view.definition.blocked[task.blockedReason ?? ""]?.waysOut ?? [])
      .filter((way) => way.blockedIn === undefined || way.blockedIn.includes(task.resumeState ?? ""))
      .map((way) => (way.to === "@resume" ? (task.resumeState ?? task.state) : way.to));
    const [first = "", ...rest] = ways;
    const to = this.around.dice.pick([first, ...rest]);
    const evidence = `looked into ${task.blockedReason}`;
    const isLate = desk.clock.now() >= task.deadlineAt - 30 * MINUTE;
    const newDeadlineAt = isLate ? desk.clock.now() + 120 * MINUTE : undefined;
    this.tell(
      task,
      `unblock ${task.blockedReason} to ${to}`,
      unblock(desk, { ...common, to, evidence, newDeadlineAt }),
    );
  }

  /** Looks at the remote's own screens and says what is there. */
  private giveVerdicts(desk: Desk, task: TaskRow): void {
    const { core } = this.around;
    const operations = desk.journal.reader.view(task.id)?.operations() ?? [];
    for (const operation of operations.filter(({ state }) => state === "locked" || state === "conflict")) {
      const { operationKey, phase } = operation;
      const made = [...core.posts, ...core.campaigns].find(({ key }) => key === operationKey);
      const applied = [
        ...core.postsAt(Number.MAX_SAFE_INTEGER, () => true),
        ...core.campaignsAt(Number.MAX_SAFE_INTEGER, () => true),
      ].find(({ appliedKeys }) => appliedKeys.includes(operationKey));
      const remoteId = (phase === "create" ? made?.id : applied?.remoteId) ?? null;
      const verdict = remoteId === null ? "did_not_happen" : "happened";
      const given = {
        taskId: task.id,
        operationId: operation.id,
        verdict,
        remoteId,
        evidence: "its own screen",
      } as const;
      this.tell(task, `verdict ${verdict}`, giveVerdict(desk, given));
    }
  }
}
