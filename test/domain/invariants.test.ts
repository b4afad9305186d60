import { describe, expect, test } from "vitest";
import { GENESIS, sha256 } from "../../main/domain/hashing";
import { asCompensationId, asTaskId } from "../../main/domain/ids";
import {
  checkInvariants,
  checkRemote,
  type JournalSnapshot,
  type RemoteRecords,
  type Violation,
} from "../../main/domain/invariants";
import { operationKeyOf } from "../../main/domain/keys";
import type { CompensationState } from "../../main/domain/records";
import {
  AUDIENCE,
  CONTENT,
  EDITOR,
  type Edition,
  EXECUTOR,
  Story,
  tellAccounted,
  tellEdition,
  tellPublish,
  tellRest,
  tellSend,
  tellStart,
  tellVerified,
} from "./story";

const broken = ({ story }: Edition): Violation[] => checkInvariants(story.snapshot());
/** Which promises are broken. Whoever is told so must be told of what, and how. */
const names = (found: readonly Violation[]): string[] => {
  for (const { subject, detail } of found) expect([subject.trim(), detail.trim()]).not.toContain("");
  return [...new Set(found.map(({ invariant }) => invariant))];
};
/** A row changed behind the events' back; the replay's complaint about it is left out where another promise is meant. */
const without = (found: readonly Violation[], invariant: string): string[] =>
  names(found).filter((name) => name !== invariant);

const publishedEdition = (): Edition => {
  const edition = tellStart();
  edition.story.approve(edition.taskId, "publish");
  const publish = tellPublish(edition);
  edition.story.send(publish);
  edition.story.outcome(publish, "RemoteConfirmed", "confirmed");
  tellVerified(edition);
  return edition;
};

test("an edition in which nothing went wrong breaks no promise, alone and beside another", () => {
  const story = new Story();
  tellEdition({}, story);
  tellEdition({ taskKey: "weekly:w31:zh" }, story);
  expect(checkInvariants(story.snapshot())).toEqual([]);
});

describe("I01 at most one live task per key", () => {
  test("two live tasks of one key", () => {
    const edition = tellStart();
    edition.story.createTask({ taskVersion: 2, supersedesTaskId: edition.taskId, actor: EDITOR });
    expect(broken(edition).map(({ detail }) => detail)).toEqual([
      expect.stringContaining("2 live tasks"),
      expect.stringContaining("beside a live one"),
    ]);
  });

  test("an overlap in the past is seen even when both have ended since", () => {
    const edition = tellStart();
    const { story, taskId } = edition;
    const second = story.createTask({ taskVersion: 2, supersedesTaskId: taskId, actor: EDITOR });
    story.move(taskId, "ClosedProtectively", "closed", { actor: EDITOR });
    story.move(second, "ClosedProtectively", "closed", { actor: EDITOR });
    expect(names(broken(edition))).toEqual(["I01"]);
  });

  test("versions: one after the other is right; the same twice, a foreign or missing predecessor and a timer's are not", () => {
    const closed = () => {
      const edition = tellStart();
      edition.story.move(edition.taskId, "ClosedProtectively", "closed", { actor: EDITOR });
      return edition;
    };
    const right = closed();
    right.story.createTask({ taskVersion: 2, supersedesTaskId: right.taskId, actor: EDITOR });
    expect(broken(right)).toEqual([]);
    const wrong = [
      { taskVersion: 1, actor: EDITOR },
      { taskVersion: 2, actor: EDITOR },
      { taskVersion: 2, actor: EDITOR, supersedesTaskId: asTaskId("t2") },
      { taskVersion: 2, actor: "scheduler", supersedesTaskId: asTaskId("t1") },
      // The row hides what the event tells.
      { taskVersion: 2, actor: "scheduler", createdBy: EDITOR, supersedesTaskId: asTaskId("t1") },
    ];
    for (const more of wrong) {
      const edition = closed();
      edition.story.createTask(more);
      expect(without(broken(edition), "I08"), JSON.stringify(more)).toEqual(["I01"]);
    }
  });
});

describe("I02 no publish without a living approval of these bytes", () => {
  /** The operation's request leaves; what comes before and what the approval says is the test's. */
  const publishWith = (approve: (edition: Edition) => void, before?: (edition: Edition) => void): Violation[] => {
    const edition = tellStart();
    approve(edition);
    const publish = tellPublish(edition);
    before?.(edition);
    edition.story.send(publish);
    return broken(edition);
  };

  test("none at all, and one of the other gate", () => {
    expect(names(publishWith(() => {}))).toEqual(["I02"]);
    expect(names(publishWith(({ story, taskId }) => story.approve(taskId, "send")))).toEqual(["I02"]);
  });

  test("one of other bytes, of another intent, of another rule, of another task", () => {
    const changes = [
      { contentHash: sha256("other") },
      { intentKey: "publish:weekly:w30:zh:v2:x" },
      { hashRuleVersion: 1 },
      { taskId: asTaskId("t9") },
      // The same words, given at the other gate.
      { scope: "send" as const },
    ];
    for (const change of changes)
      expect(
        names(publishWith(({ story, taskId }) => story.approve(taskId, "publish", change))),
        JSON.stringify(change),
      ).toEqual(["I02"]);
  });

  test("one that was not given yet, that had expired, was revoked or had ended when the request left", () => {
    const living = ({ story, taskId }: Edition) => story.approve(taskId, "publish");
    expect(publishWith(living)).toEqual([]);
    const early = ({ story, taskId }: Edition) =>
      story.approve(taskId, "publish", { issuedAt: story.now + 60_000, expiresAt: story.now + 120_000 });
    const late = ({ story, taskId }: Edition) => story.approve(taskId, "publish", { expiresAt: story.now + 2_000 });
    expect(names(publishWith(early))).toEqual(["I02"]);
    expect(names(publishWith(late))).toEqual(["I02"]);
    const endsAt = (offset: number): string[] => {
      const edition = tellStart();
      const approval = edition.story.approve(edition.taskId, "publish");
      const { at } = edition.story.send(tellPublish(edition));
      approval.expiresAt = at + offset;
      return names(broken(edition));
    };
    expect([endsAt(0), endsAt(1)]).toEqual([["I02"], []]);
    for (const field of ["revokedAt", "endedAt"] as const) {
      const taken = (edition: Edition) =>
        Object.assign(edition.story.data.approvals[0] ?? {}, { [field]: edition.story.now });
      expect(names(publishWith(living, taken)), field).toEqual(["I02"]);
      const later = (edition: Edition) =>
        Object.assign(edition.story.data.approvals[0] ?? {}, { [field]: edition.story.now + 60_000 });
      expect(publishWith(living, later), field).toEqual([]);
    }
  });

  test("a row by itself is no consent: a person's event had to name it before", () => {
    const forged = (forge: (edition: Edition) => void): string[] => {
      const edition = tellStart();
      edition.story.approve(edition.taskId, "publish");
      forge(edition);
      edition.story.send(tellPublish(edition));
      return names(broken(edition));
    };
    const rename = ({ story }: Edition) => Object.assign(story.data.approvals[0] ?? {}, { id: "ap-forged" });
    const tell = ({ story, taskId }: Edition, actor: string) =>
      story.event(taskId, "ContentApproved", { actor, payload: { context: { publishApprovalId: "ap-forged" } } });
    expect(forged(rename)).toEqual(["I02"]);
    expect(forged((edition) => [rename(edition), tell(edition, EXECUTOR)])).toEqual(["I02"]);
    expect(forged((edition) => [rename(edition), tell(edition, EDITOR)])).toEqual([]);
  });

  test.each(["ApprovalRevoked", "RevocationNoted"])("a revocation told by %s that the row no longer shows", (type) => {
    for (const isFirst of [true, false]) {
      const edition = tellStart();
      const { story, taskId } = edition;
      const { id } = story.approve(taskId, "publish");
      const publish = tellPublish(edition);
      const revoke = () => story.event(taskId, type, { actor: EDITOR, payload: { approvalId: id } });
      if (isFirst) revoke();
      story.send(publish);
      if (!isFirst) revoke();
      expect(names(broken(edition))).toEqual(isFirst ? ["I02"] : []);
    }
  });

  test.each([
    "ApprovalRevoked",
    "RevocationNoted",
    "ApprovalExpired",
    "ArtifactChanged",
    "RecollectChosen",
    "ContentRejected",
    "SendRejected",
    "AudienceChanged",
    "PageChanged",
  ])("taken away in the same millisecond by %s: the order of the events decides", (ending) => {
    const revoke = (edition: Edition, at: number) => {
      const { story, taskId } = edition;
      story.move(taskId, ending, "blocked", { actor: EDITOR, at });
      Object.assign(story.data.approvals[0] ?? {}, { revokedAt: at });
    };
    for (const isFirst of [true, false]) {
      const edition = tellStart();
      const { story, taskId } = edition;
      story.approve(taskId, "publish");
      const publish = tellPublish(edition);
      const at = story.now + 5_000;
      if (isFirst) revoke(edition, at);
      story.send(publish, { at });
      if (!isFirst) revoke(edition, at);
      expect(names(broken(edition))).toEqual(isFirst ? ["I02"] : []);
    }
  });

  test("another event of the same millisecond takes nothing away", () => {
    const edition = tellStart();
    const { story, taskId } = edition;
    story.approve(taskId, "publish");
    const publish = tellPublish(edition);
    const at = story.now + 5_000;
    story.event(taskId, "SourceChangeWarned", { at });
    story.send(publish, { at });
    Object.assign(story.data.approvals[0] ?? {}, { revokedAt: at });
    expect(names(broken(edition))).toEqual([]);
  });

  test("bytes recomputed to something else than the intent", () => {
    const edition = tellStart();
    edition.story.approve(edition.taskId, "publish");
    const publish = tellPublish(edition);
    edition.story.send(publish);
    Object.assign(publish, { requestContentHash: sha256("one byte more") });
    expect(names(broken(edition))).toEqual(["I02"]);
    Object.assign(publish, { requestContentHash: CONTENT, contentHash: sha256("one byte less") });
    expect(broken(edition)).toContainEqual(
      expect.objectContaining({ invariant: "I02", detail: expect.stringContaining("is not the intent's") }),
    );
  });

  test("an earlier request of the same operation is judged by its own moment", () => {
    const edition = tellStart();
    const { story, taskId } = edition;
    const publish = tellPublish(edition);
    story.send(publish);
    story.outcome(publish, "OperationPrepared", "prepared");
    story.approve(taskId, "publish");
    story.now += 5_000;
    story.send(publish);
    expect(broken(edition)).toEqual([
      expect.objectContaining({ invariant: "I02", detail: expect.stringContaining("was living when") }),
    ]);
  });
});

describe("I03 one operation per key, one create per slot", () => {
  test("a key twice, a key that names another intent, an intent that is not its hash's", () => {
    const twice = publishedEdition();
    const [first] = twice.story.data.operations;
    if (!first) throw new Error("no operation");
    twice.story.data.operations.push({ ...first });
    expect(broken(twice).map(({ detail }) => detail)).toContain("2 operations have this key");
    const change = (patch: object) => {
      const edition = publishedEdition();
      Object.assign(edition.story.data.operations[0] ?? {}, patch);
      return names(broken(edition));
    };
    expect(change({ operationKey: operationKeyOf("other", "create", null) })).toEqual(["I03"]);
    expect(change({ target: "https://elsewhere.example" })).toEqual(["I03"]);
    expect(change({ intentHash: sha256("other") })).toEqual(["I03"]);
  });

  test("prepared again with another intent than before", () => {
    const edition = publishedEdition();
    const [publish] = edition.story.data.operations;
    edition.story.event(edition.taskId, "ProbeAttempted", {
      operationId: publish?.id ?? null,
      payload: { intentHash: sha256("other") },
    });
    expect(names(broken(edition))).toEqual(["I03"]);
  });

  test("a second create in a slot: only after the first was proven not to be there", () => {
    const secondAfter = (tell: (story: Story, first: ReturnType<typeof tellPublish>) => void): string[] => {
      const edition = tellStart();
      const { story, taskId } = edition;
      story.approve(taskId, "publish");
      const first = tellPublish(edition);
      story.send(first);
      tell(story, first);
      const contentHash = sha256("newer content");
      const second = story.operation(taskId, {
        kind: "publish",
        phase: "create",
        contentHash,
        compensationId: first.compensationId,
      });
      story.approve(taskId, "publish", { contentHash, intentKey: second.intentKey, issuedAt: story.now });
      story.send(second);
      return names(broken(edition));
    };
    expect(secondAfter(() => {})).toEqual(["I03"]);
    expect(secondAfter((story, first) => story.outcome(first, "OutcomeUnknown", "unknown"))).toEqual(["I03"]);
    expect(secondAfter((story, first) => story.outcome(first, "RemoteConfirmed", "confirmed"))).toEqual(["I03"]);
    const notFound = (pastHorizon: boolean) => (story: Story, first: ReturnType<typeof tellPublish>) => {
      story.outcome(first, "OutcomeUnknown", "unknown");
      story.outcome(first, "RemoteNotFound", "not_found", { pastHorizon });
    };
    expect(secondAfter(notFound(false))).toEqual(["I03"]);
    expect(secondAfter(notFound(true))).toEqual([]);
    expect(secondAfter((story, first) => story.outcome(first, "OperationRejected", "rejected"))).toEqual([]);
    expect(secondAfter((story, first) => story.outcome(first, "OperationPrepared", "prepared"))).toEqual([]);
  });

  test("the same operation sent twice without a proof in between", () => {
    const edition = tellStart();
    edition.story.approve(edition.taskId, "publish");
    const publish = tellPublish(edition);
    edition.story.send(publish);
    edition.story.send(publish);
    expect(names(broken(edition))).toEqual(["I03", "I08"]);
  });

  test("a campaign is triggered once, also under another key", () => {
    const edition = publishedEdition();
    const { story, taskId } = edition;
    story.approve(taskId, "send");
    const { trigger } = tellSend(edition);
    story.send(trigger);
    story.outcome(trigger, "OutcomeUnknown", "unknown");
    const audienceHash = sha256("one more");
    const again = story.operation(taskId, {
      kind: "send",
      phase: "trigger",
      audienceHash,
      compensationId: trigger.compensationId,
    });
    story.approve(taskId, "send", { audienceHash, intentKey: again.intentKey, issuedAt: story.now });
    story.send(again);
    expect(names(broken(edition))).toEqual(["I03", "I07"]);
  });

  test("two confirmed operations in one place", () => {
    const edition = tellEdition();
    const { story, taskId } = edition;
    const [publish] = story.data.operations;
    const other = { ...publish, operationKey: "x", id: "op-x", taskId } as (typeof story.data.operations)[number];
    story.data.operations.push(other);
    expect(broken(edition).map(({ detail }) => detail)).toContain("2 confirmed operations in one place");
  });

  test("nothing leaves between a raised epoch and its reconciliation", () => {
    const edition = tellStart();
    const { story, taskId } = edition;
    story.approve(taskId, "publish");
    const publish = tellPublish(edition);
    story.event(null, "EpochRaised", { actor: "system", payload: { epoch: 2 } });
    const reconciled = structuredClone(story.data);
    story.send(publish);
    expect(names(broken(edition))).toEqual(["I03"]);
    Object.assign(story.data, reconciled);
    story.event(null, "EpochReconciled", { actor: "system", payload: { epoch: 2 } });
    const again = story.data.operations[0];
    if (again) story.send(again);
    expect(broken(edition)).toEqual([]);
  });
});

describe("I04 no send before the page was proved, none without a living approval of page, body and audience", () => {
  const sendWith = (tell: (edition: Edition) => void, approve = true): Violation[] => {
    const edition = tellStart();
    const { story, taskId } = edition;
    story.approve(taskId, "publish");
    const publish = tellPublish(edition);
    story.send(publish);
    story.outcome(publish, "RemoteConfirmed", "confirmed");
    tell(edition);
    if (approve) story.approve(taskId, "send");
    story.send(tellSend(edition).create);
    return broken(edition);
  };

  test("never verified, or verified only before the page was written last", () => {
    expect(sendWith(tellVerified)).toEqual([]);
    expect(names(sendWith(({ story, taskId }) => story.move(taskId, "Published", "published")))).toEqual(["I04"]);
    const updatedSince = (edition: Edition) => {
      tellVerified(edition);
      const { story, taskId } = edition;
      const [publish] = story.data.operations;
      const update = story.operation(taskId, {
        kind: "publish",
        phase: "update",
        compensationId: publish?.compensationId ?? null,
      });
      story.send(update);
    };
    expect(names(sendWith(updatedSince))).toEqual(["I04"]);
  });

  test("no send approval, or one of another page, body or audience", () => {
    expect(names(sendWith(tellVerified, false))).toEqual(["I04"]);
    for (const field of ["pageUrl", "bodyHash", "audienceHash"]) {
      const other = (edition: Edition) => {
        tellVerified(edition);
        edition.story.approve(edition.taskId, "send", { [field]: sha256("other") });
      };
      expect(names(sendWith(other, false)), field).toEqual(["I04"]);
    }
  });

  test("an audience that changed between approval and request", () => {
    const edition = publishedEdition();
    edition.story.approve(edition.taskId, "send");
    const { create } = tellSend(edition);
    edition.story.send(create);
    Object.assign(create, { requestAudienceHash: sha256("one more") });
    expect(names(broken(edition))).toEqual(["I04"]);
  });
});

describe("I05 an executor writes only under the newest claim", () => {
  const writes = (tell: (edition: Edition) => void): string[] => {
    const edition = tellStart();
    tell(edition);
    return names(broken(edition));
  };

  test("an old token after a takeover, and an old holder under the new token", () => {
    expect(writes(({ story, taskId }) => story.event(taskId, "ProbeAttempted"))).toEqual([]);
    const takeover = ({ story, taskId }: Edition) => story.claim(taskId, "executor:b");
    expect(
      writes((edition) => {
        takeover(edition);
        edition.story.event(edition.taskId, "ProbeAttempted", { token: 1 });
      }),
    ).toEqual(["I05"]);
    expect(
      writes((edition) => {
        takeover(edition);
        edition.story.event(edition.taskId, "ProbeAttempted", { actor: EXECUTOR, token: 2 });
      }),
    ).toEqual(["I05"]);
    expect(
      writes((edition) => {
        takeover(edition);
        edition.story.event(edition.taskId, "LateAnswerKept", { actor: EXECUTOR });
      }),
    ).toEqual([]);
  });

  test("an old token of the same holder, and a claim under another token than it claims", () => {
    expect(
      writes(({ story, taskId }) => {
        story.claim(taskId);
        story.event(taskId, "ProbeAttempted", { token: 1 });
      }),
    ).toEqual(["I05"]);
    expect(
      writes(({ story, taskId }) => {
        story.task(taskId).fencingToken = 2;
        story.event(taskId, "LeaseClaimed", { token: 1, payload: { owner: EXECUTOR, token: 2 } });
      }),
    ).toEqual(["I05"]);
  });

  test("after the lease was released nobody writes without a new claim", () => {
    expect(
      writes(({ story, taskId }) => {
        story.event(taskId, "LeaseReleased", { payload: { owner: EXECUTOR } });
        story.event(taskId, "ProbeAttempted");
      }),
    ).toEqual(["I05"]);
  });

  test("tokens rise by one at each claim, and the task has the newest", () => {
    expect(
      writes(({ story, taskId }) => {
        story.task(taskId).fencingToken = 6;
        story.claim(taskId, "executor:b");
      }),
    ).toEqual(["I05"]);
    expect(writes(({ story, taskId }) => Object.assign(story.task(taskId), { fencingToken: 3 }))).toEqual(["I05"]);
  });

  test("an attempt without a request, a request without an attempt, an attempt under another token", () => {
    const attempts = (change: (rows: Story["data"]["attempts"]) => void): string[] => {
      const edition = publishedEdition();
      change(edition.story.data.attempts);
      return names(broken(edition));
    };
    expect(attempts((rows) => rows.pop())).toEqual(["I05"]);
    expect(attempts((rows) => rows.push(...rows.map((row) => ({ ...row, number: 2 }))))).toEqual(["I05"]);
    expect(attempts((rows) => Object.assign(rows[0] ?? {}, { fencingToken: 0 }))).toEqual(["I05"]);
  });
});

describe("I06 success accounts for everything", () => {
  const changed = (change: (data: Story["data"]) => void): Violation[] => {
    const edition = tellEdition();
    change(edition.story.data);
    return broken(edition);
  };

  test("a recipient without an end, one too many, one too few", () => {
    for (const outcome of ["unknown", "accepted"])
      expect(names(changed((data) => Object.assign(data.recipients[0] ?? {}, { outcome }))), outcome).toEqual(["I06"]);
    for (const outcome of ["complained", "excluded", "closed_by_person"])
      expect(
        changed((data) => Object.assign(data.recipients[0] ?? {}, { outcome })),
        outcome,
      ).toEqual([]);
    expect(names(changed((data) => data.recipients.pop()))).toEqual(["I06"]);
    expect(names(changed((data) => Object.assign(data.audiences[0] ?? {}, { excluded: 1 })))).toEqual(["I06"]);
    expect(names(changed((data) => data.audiences.pop()))).toEqual(["I06"]);
  });

  test("an operation that is not settled well, unless another took its place or it is a child", () => {
    const state = (patch: object) =>
      without(
        changed((data) => Object.assign(data.operations[2] ?? {}, patch)),
        "I08",
      );
    for (const open of ["prepared", "request_sent", "unknown", "conflict", "locked"])
      expect(state({ state: open, settled: false }), open).toContain("I06");
    expect(state({ state: "rejected" })).toEqual(["I06"]);
    expect(state({ state: "not_found" })).toEqual(["I06"]);
    expect(state({ state: "cancelled" })).toEqual([]);
    const child = { state: "rejected", parentId: "op-parent" };
    expect(state(child)).toEqual([]);
    expect(state({ ...child, state: "unknown", settled: false })).toEqual(["I06"]);
  });

  test("an operation that failed may stay behind where another one took its place", () => {
    const edition = tellStart();
    const { story, taskId } = edition;
    const entry = story.compensation(taskId);
    const contentHash = sha256("first try");
    const first = story.operation(taskId, { kind: "publish", phase: "create", contentHash, compensationId: entry.id });
    story.approve(taskId, "publish", { contentHash, intentKey: first.intentKey });
    story.now += 5_000;
    story.send(first);
    story.outcome(first, "OperationRejected", "rejected");
    story.move(taskId, "ArtifactChanged", "checking", { actor: EDITOR });
    tellRest(edition);
    expect(broken(edition)).toEqual([]);
  });

  test("an operation in another place, or another phase of the same, has not taken its place", () => {
    for (const other of [{ slot: "publish:elsewhere" }, { phase: "publish" }]) {
      const found = changed((data) => {
        const [publish, create] = data.operations;
        Object.assign(create ?? {}, { state: "rejected", slot: publish?.slot, phase: publish?.phase, ...other });
      });
      expect(names(found), JSON.stringify(other)).toContain("I06");
    }
  });

  test("an account is held against the audience of its own task, by its hash", () => {
    const foreign = changed((data) => Object.assign(data.audiences[0] ?? {}, { taskId: asTaskId("t-other") }));
    const older = changed((data) => Object.assign(data.audiences[0] ?? {}, { audienceHash: sha256("older") }));
    expect([names(foreign), names(older)]).toEqual([["I06"], ["I06"]]);
    const excluded = changed((data) => {
      const [first] = data.recipients;
      Object.assign(first ?? {}, { outcome: "excluded" });
      Object.assign(data.audiences[0] ?? {}, { count: data.recipients.length - 1, excluded: 1 });
    });
    expect(names(excluded)).toEqual([]);
  });

  test("a mailing to another audience than the one that was counted", () => {
    const edition = tellEdition();
    const { story, taskId } = edition;
    story.event(taskId, "ProbeAttempted", { payload: { context: { audienceHash: sha256("other") } } });
    Object.assign(story.data.audiences[0] ?? {}, { audienceHash: sha256("other") });
    expect(broken(edition).map(({ detail }) => detail)).toEqual([expect.stringContaining("another audience")]);
  });
});

describe("I07 the undo comes first", () => {
  test("no undo, one of another task, one registered after the request", () => {
    const publishWith = (compensationId: string | null): string[] => {
      const edition = tellStart();
      edition.story.approve(edition.taskId, "publish");
      const id = compensationId === null ? null : asCompensationId(compensationId);
      edition.story.send(tellPublish(edition, { compensationId: id }));
      return names(broken(edition));
    };
    expect(publishWith("cp-t1-1")).toEqual([]);
    expect(publishWith(null)).toEqual(["I07"]);
    expect(publishWith("cp-nowhere")).toEqual(["I07"]);
    expect(publishWith("cp-t1-2")).toEqual(["I07"]);
    const foreign = publishedEdition();
    Object.assign(foreign.story.data.compensations[0] ?? {}, { taskId: asTaskId("t9") });
    // The events of the task still tell of it.
    expect(names(broken(foreign))).toEqual(["I07", "I08"]);
    const late = tellStart();
    const { story, taskId } = late;
    story.approve(taskId, "publish");
    const publish = story.operation(taskId, {
      kind: "publish",
      phase: "create",
      compensationId: asCompensationId("cp-t1-1"),
    });
    story.send(publish);
    story.compensation(taskId);
    expect(names(broken(late))).toEqual(["I07"]);
  });

  test("undoing needs no undo, and follows whatever it undoes", () => {
    const edition = publishedEdition();
    const { story, taskId } = edition;
    Object.assign(story.data.compensations[0] ?? {}, { grade: "C" });
    story.move(taskId, "CompensationStarted", "compensating");
    story.send(story.operation(taskId, { kind: "compensate", phase: "undo", intentKey: "compensate:x" }));
    expect(broken(edition)).toEqual([]);
  });

  test("undo leaves while compensating, and nothing else does", () => {
    const early = publishedEdition();
    const undo = { kind: "compensate", phase: "undo", intentKey: "compensate:x" } as const;
    early.story.send(early.story.operation(early.taskId, undo));
    expect(names(broken(early))).toEqual(["I07"]);
    const late = tellStart();
    late.story.approve(late.taskId, "publish");
    const publish = tellPublish(late);
    late.story.move(late.taskId, "CompensationStarted", "compensating", { actor: EDITOR });
    late.story.send(publish);
    expect(names(broken(late))).toEqual(["I07"]);
  });

  test("compensated means every entry at its end and nothing without an answer", () => {
    const compensated = (state: CompensationState, settle = true): string[] => {
      const edition = tellStart();
      const { story, taskId } = edition;
      story.approve(taskId, "publish");
      const publish = tellPublish(edition);
      story.send(publish);
      story.outcome(publish, settle ? "RemoteConfirmed" : "OutcomeUnknown", settle ? "confirmed" : "unknown");
      story.move(taskId, "CompensationStarted", "compensating", { actor: EDITOR });
      const [entry] = story.data.compensations;
      if (entry) story.undone(entry, "CompensationStepBegun", { state });
      story.move(taskId, "Compensated", "compensated");
      return names(broken(edition));
    };
    for (const end of ["done", "closed_by_person"] as const) expect(compensated(end), end).toEqual([]);
    // What it undoes was confirmed.
    expect(compensated("not_needed")).toEqual(["I07"]);
    for (const open of ["registered", "running", "failed"] as const) expect(compensated(open), open).toEqual(["I07"]);
    expect(compensated("done", false)).toEqual(["I07"]);
  });

  test("grade D by itself; a person may", () => {
    const withGrade = (automatic: boolean): string[] => {
      const edition = tellStart();
      edition.story.approve(edition.taskId, "publish");
      edition.story.send(tellPublish(edition, { automatic }));
      Object.assign(edition.story.data.compensations[0] ?? {}, { grade: "D" });
      return names(broken(edition));
    };
    expect(withGrade(true)).toEqual(["I07"]);
    expect(withGrade(false)).toEqual([]);
  });

  test("after a write of grade C nothing else leaves before a person acted", () => {
    const followed = (gate: boolean): string[] => {
      const edition = publishedEdition();
      const { story, taskId } = edition;
      story.approve(taskId, "send");
      const { create } = tellSend(edition);
      story.send(create);
      story.outcome(create, "RemoteConfirmed", "confirmed");
      if (gate) story.move(taskId, "SendRejected", "published", { actor: EDITOR });
      const [publish] = story.data.operations;
      const contentHash = sha256("correction");
      const update = story.operation(taskId, {
        kind: "publish",
        phase: "update",
        contentHash,
        compensationId: publish?.compensationId ?? null,
      });
      story.approve(taskId, "publish", { contentHash, intentKey: update.intentKey, issuedAt: story.now });
      story.send(update);
      return names(broken(edition));
    };
    expect(followed(false)).toEqual(["I07"]);
    expect(followed(true)).toEqual([]);
  });

  test("a stack deeper than eight", () => {
    const edition = tellStart();
    for (let depth = 1; depth <= 9; depth += 1) {
      expect(broken(edition)).toEqual([]);
      edition.story.compensation(edition.taskId);
    }
    expect(names(broken(edition))).toEqual(["I07"]);
  });
});

describe("I08 history is kept", () => {
  const details = (edition: Edition): string[] => broken(edition).map(({ detail }) => detail);

  test("an event after the end that moves the task; an observation is welcome", () => {
    const edition = tellEdition();
    edition.story.event(edition.taskId, "DeliveryObserved", { payload: { counts: { delivered: 1, bounced: 1 } } });
    expect(broken(edition)).toEqual([]);
    edition.story.move(edition.taskId, "Unblocked", "publishing");
    expect(details(edition)).toEqual([expect.stringContaining("moves a task that had ended")]);
    expect(names(broken(edition))).toEqual(["I08"]);
  });

  test("an event that begins in another state, one before the task was created, a task created twice", () => {
    const jump = tellStart();
    jump.story.event(jump.taskId, "Published", { fromState: "publishing", toState: "published" });
    expect(details(jump)).toEqual([expect.stringContaining("it begins in publishing")]);
    const twice = tellStart();
    twice.story.event(twice.taskId, "TaskCreated", { toState: "content_approved" });
    expect(details(twice)).toEqual([expect.stringContaining("created before")]);
    const orphan = new Story();
    const taskId = orphan.createTask();
    orphan.data.events.pop();
    Object.assign(orphan.task(taskId), { taskSeq: 0, taskHead: GENESIS });
    orphan.event(taskId, "ProbeAttempted", { actor: EDITOR });
    expect(broken({ story: orphan, taskId }).map(({ detail }) => detail)).toContain(
      "event 1 ProbeAttempted: nothing precedes it that created the task",
    );
  });

  test("an operation on a way that does not exist, or one that begins elsewhere", () => {
    const edition = tellStart();
    edition.story.approve(edition.taskId, "publish");
    const publish = tellPublish(edition);
    edition.story.outcome(publish, "RemoteConfirmed", "confirmed");
    expect(details(edition)).toEqual(["event 9 RemoteConfirmed: there is no way from prepared to confirmed"]);
    const born = tellStart();
    const row = tellPublish(born);
    born.story.data.events.pop();
    const before = born.story.data.events.at(-1);
    Object.assign(born.story.task(born.taskId), { taskSeq: before?.taskSeq, taskHead: before?.hash });
    born.story.outcome(row, "OutcomeUnknown", "unknown");
    expect(details(born)).toEqual(["event 7 OutcomeUnknown: it begins as unknown"]);
  });

  test("a row that says something else than the events", () => {
    const edition = tellEdition();
    Object.assign(edition.story.task(edition.taskId), { context: {} });
    expect(names(broken(edition))).toContain("I08");
  });

  test("an event removed, changed, swapped or cut off the end", () => {
    const damaged = (change: (snapshot: JournalSnapshot) => Partial<JournalSnapshot>): string[] => {
      const snapshot = tellEdition().story.snapshot();
      return names(checkInvariants({ ...snapshot, ...change(snapshot) }));
    };
    const middle = 12;
    expect(damaged(({ events }) => ({ events: events.filter(({ seq }) => seq !== middle) }))).toContain("I08");
    expect(damaged(({ events }) => ({ events: events.slice(0, -1) }))).toContain("I08");
    expect(
      damaged(({ events }) => ({ events: events.map((row) => (row.seq === middle ? { ...row, reason: "x" } : row)) })),
    ).toEqual(["I08"]);
  });

  test("in a part of a journal the numbers may have gaps, the tasks' own chains may not", () => {
    const story = new Story();
    const first = tellStart({}, story);
    const second = tellStart({ taskKey: "weekly:w31:zh" }, story);
    story.event(first.taskId, "ProbeAttempted");
    const whole = story.snapshot();
    const of = <T extends { taskId: unknown }>(rows: readonly T[]) => rows.filter((row) => row.taskId === first.taskId);
    const part = {
      ...whole,
      isWhole: false,
      tasks: whole.tasks.filter(({ id }) => id === first.taskId),
      events: of(whole.events),
    };
    expect(checkInvariants(part)).toEqual([]);
    expect(names(checkInvariants({ ...part, isWhole: true }))).toContain("I08");
    expect(names(checkInvariants({ ...part, events: part.events.filter((_, at) => at !== 2) }))).toContain("I08");
    expect(second.taskId).not.toBe(first.taskId);
  });
});

describe("the remotes against the journal", () => {
  const edition = tellEdition();
  const [publish, create, trigger] = edition.story.data.operations;
  const page = {
    system: "cms",
    remoteId: "18427",
    key: publish?.operationKey ?? null,
    place: "w30",
    isUp: true,
    contentHash: CONTENT,
  } as const;
  const campaign = {
    ...page,
    system: "mail",
    remoteId: "930",
    key: create?.operationKey ?? null,
    contentHash: null,
  } as const;
  const mailing = { key: trigger?.operationKey ?? null, place: "w30", recipientId: "r0" };
  const check = (remote: Partial<RemoteRecords>) =>
    names(checkRemote(edition.story.snapshot(), { objects: [page, campaign], mailings: [mailing], ...remote }));

  test("one object a place, one mail a recipient, all of it sent by us", () => {
    expect(check({})).toEqual([]);
  });

  test("two objects in one place, unless one was taken down", () => {
    expect(check({ objects: [page, { ...page, remoteId: "18428" }] })).toEqual(["I03"]);
    expect(check({ objects: [page, { ...page, remoteId: "18428", isUp: false }] })).toEqual([]);
  });

  test("two mails to one recipient, a mail to somebody excluded", () => {
    expect(check({ mailings: [mailing, mailing] })).toEqual(["I03"]);
    const snapshot = edition.story.snapshot();
    Object.assign(snapshot.recipients[0] ?? {}, { outcome: "excluded" });
    expect(names(checkRemote(snapshot, { objects: [], mailings: [mailing] }))).toEqual(["I04"]);
  });

  test("objects and mails of which no request left", () => {
    expect(check({ objects: [{ ...page, key: "publish:other" }] })).toEqual(["I02"]);
    expect(check({ objects: [{ ...page, key: null }] })).toEqual(["I02"]);
    expect(check({ objects: [{ ...campaign, key: "send:other" }] })).toEqual(["I04"]);
    expect(check({ mailings: [{ ...mailing, key: null }] })).toEqual(["I04"]);
    const prepared = tellStart();
    const row = tellPublish(prepared);
    const remote = { objects: [{ ...page, key: row.operationKey }], mailings: [] };
    expect(names(checkRemote(prepared.story.snapshot(), remote))).toEqual(["I02"]);
  });

  test("a page that shows what no request carried", () => {
    expect(check({ objects: [{ ...page, contentHash: AUDIENCE }] })).toEqual(["I02"]);
    // After an undo it shows what an earlier edition had.
    const undone = tellEdition();
    undone.story.send(
      undone.story.operation(undone.taskId, {
        kind: "compensate",
        phase: "undo",
        slot: publish?.slot ?? "",
        intentKey: "compensate:x",
      }),
    );
    const remote = { objects: [{ ...page, contentHash: AUDIENCE }], mailings: [] };
    expect(checkRemote(undone.story.snapshot(), remote)).toEqual([]);
  });
});

test("an edition half told breaks nothing: promises are about what left, not about what is missing yet", () => {
  const edition = publishedEdition();
  edition.story.approve(edition.taskId, "send");
  const { create } = tellSend(edition);
  edition.story.send(create);
  edition.story.outcome(create, "OutcomeUnknown", "unknown");
  expect(broken(edition)).toEqual([]);
  edition.story.outcome(create, "OperationLocked", "locked");
  edition.story.outcome(create, "RemoteConfirmed", "confirmed");
  tellAccounted(edition);
  // The trigger never left, and the task says that it succeeded.
  expect(names(broken(edition))).toEqual(["I06"]);
});
