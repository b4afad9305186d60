import { describe, expect, test } from "vitest";
import type { ExecuteResult } from "../../db/journal";
import { loadJournal } from "../../db/load-journal";
import { type Desk, executeAsked, type Wish } from "../../main/commands/desk";
import type { ApprovalSigner, Signed } from "../../main/commands/sign-approval";
import { checkInvariants } from "../../main/domain/invariants";
import { APPROVAL_NAMESPACE, fingerprintOf } from "../../main/domain/sshsig";
import { contentApproval } from "../../main/pipeline/briefing/desk";
import { securityKey } from "../support/security-key";
import { SigningWalk } from "../support/signing-walk";
import { EDITOR, World } from "../support/world";

/** An approval whose key answers later: what may have happened by then, and what the handler says to it. */
const hardware = securityKey(3);
const MINUTE_MS = 60_000;

/** The walk's own approval as a wish: made anew each time it is asked for. */
class AskedWalk extends SigningWalk {
  private waiting: ((signed: Signed) => void)[] = [];
  asked: string[] = [];

  registerHardware(): this {
    const command = { type: "register_signer", identity: "lin@desk", reason: "a hardware key" } as const;
    this.world.must({ ...command, publicKey: hardware.publicKey.toString("base64") }, EDITOR);
    return this;
  }

  /** Clicks, and leaves the key waiting. */
  click(): Promise<ExecuteResult> {
    const { world } = this;
    const signer: ApprovalSigner = {
      open: () => ({ kind: "asked", ask: (statement) => this.ask(statement) }),
    };
    const clock = { now: () => world.now };
    const trusted = { read: () => world.trusted() };
    const desk = { actor: EDITOR, journal: world.journal, clock, trusted, signer } as unknown as Desk;
    const { task } = this.view();
    const { contentHash, warnings } = this.package();
    const seen = {
      ...{ packageHash: String(task.context["packageHash"]), contentHash, acknowledged: warnings, readSections: [] },
      comparedWith: { choice: "nothing", hash: null },
    };
    const make: Wish["make"] = (view) => contentApproval(this.ports, view, seen);
    return executeAsked(desk, { taskId: this.taskId, expectedVersion: task.stateVersion, make });
  }

  private ask(statement: string): Promise<Signed> {
    this.asked.push(statement);
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  /** Touches the key for the oldest click, which signs what it was asked to. */
  touch(flags = 1): void {
    const signature = hardware.signMessage(
      this.asked[this.asked.length - this.waiting.length] ?? "",
      APPROVAL_NAMESPACE,
      flags,
    );
    this.waiting.shift()?.({ kind: "signed", signature });
  }

  moveClock(ms: number): void {
    this.world.now += ms;
  }

  /** The gate closes by the clock. */
  runOut(): void {
    this.moveClock(MINUTE_MS);
    this.system({ type: "transition", taskId: this.taskId, event: "ApprovalExpired" });
  }

  /** Approved with this very key by another click, and taken back. */
  approveAndRevoke(): void {
    this.signer = {
      open: () => ({ kind: "ready", sign: (statement) => hardware.signMessage(statement, APPROVAL_NAMESPACE) }),
    };
    this.approveContent();
    const payload = { approvalId: String(this.view().task.context["publishApprovalId"]) };
    this.person({ type: "transition", taskId: this.taskId, event: "ApprovalRevoked", reason: "too early", payload });
  }

  refuse(): void {
    this.waiting.shift()?.({ kind: "failed", unmet: { code: "signing_cancelled", values: {} } });
  }
}

const atTheGate = () => (new AskedWalk(new World()).to("awaiting_content_approval") as AskedWalk).registerHardware();
const said = (answer: ExecuteResult) => ("unmet" in answer ? answer.unmet.map(({ code }) => code) : answer.result);
const eventsOf = (walk: AskedWalk) => loadJournal(walk.world.database.sqlite).events.length;

describe("an approval whose key is touched later", () => {
  test("is that of the click: its words are those that were signed, and it holds before every checker", async () => {
    const walk = atTheGate();
    const clickedAt = walk.world.now;
    const click = walk.click();
    walk.world.now += MINUTE_MS;
    walk.touch();
    expect(said(await click)).toBe("applied");
    const [approval] = walk.view().approvals();
    expect(approval).toMatchObject({ issuedAt: clickedAt, signedBy: fingerprintOf(hardware.publicKey) });
    expect(approval?.statement).toBe(walk.asked[0]);
    expect(checkInvariants(loadJournal(walk.world.database.sqlite))).toEqual([]);
  });

  test("that is cancelled, or was signed untouched, approves nothing and writes nothing", async () => {
    const walk = atTheGate();
    const before = eventsOf(walk);
    const cancelled = walk.click();
    walk.refuse();
    expect(said(await cancelled)).toEqual(["signing_cancelled"]);
    const untouched = walk.click();
    walk.touch(0);
    expect(said(await untouched)).toEqual(["approval_signature_wrong"]);
    expect([eventsOf(walk), walk.view().approvals()]).toEqual([before, []]);
  });

  test("that was clicked twice approves once", async () => {
    const walk = atTheGate();
    const clicks = [walk.click(), walk.click()];
    walk.touch();
    walk.touch();
    expect((await Promise.all(clicks)).map(said)).toEqual(["applied", ["state_version_is"]]);
    expect(walk.view().approvals()).toHaveLength(1);
  });

  test.each<[string, (walk: AskedWalk) => void, string | RegExp]>([
    ["the editor saved an edit", (walk) => walk.edit("Another title"), "state_version_is"],
    ["the offer ran out", (walk) => walk.runOut(), "state_version_is"],
    ["it was given elsewhere and revoked", (walk) => walk.approveAndRevoke(), "state_version_is"],
    ["another key was registered", (walk) => void walk.register(2, "the token is lost"), "approval_signature_wrong"],
    ["ten minutes went by", (walk) => walk.moveClock(10 * MINUTE_MS), "signature_came_late"],
    ["the clock was set back", (walk) => walk.moveClock(-MINUTE_MS), "signature_came_late"],
  ])("and %s meanwhile, is refused", async (_, happens, code) => {
    const walk = atTheGate();
    // Half a minute before the offer runs out.
    walk.world.now = walk.view().task.stateSince + 24 * 60 * MINUTE_MS - 30_000;
    const click = walk.click();
    happens(walk);
    const before = eventsOf(walk);
    walk.touch();
    expect(said(await click)).toContain(code);
    expect(eventsOf(walk)).toBe(before);
  });
});
