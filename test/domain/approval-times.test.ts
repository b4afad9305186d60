import { describe, expect, test } from "vitest";
import { checkInvariants } from "../../main/domain/invariants";
import { CONTENT, tellPublish, tellStart } from "./story";

const MINUTE = 60_000;

/** A publish that left twice under one approval: the first time at a trusted moment of its own, under a clock that stood wrong. */
function tellTwice(first: { trustedAt: number | null; wallMovedMs: number; livesForMs?: number }) {
  const { story, taskId } = tellStart();
  const { now } = story;
  story.approve(taskId, "publish", {
    contentHash: CONTENT,
    issuedAt: now,
    expiresAt: now + (first.livesForMs ?? MINUTE),
  });
  const publish = tellPublish({ story, taskId });
  const told = first.trustedAt === null ? {} : { trustedAt: now + first.trustedAt };
  const payload = { operationState: "request_sent", attempt: 1, ...told };
  story.send(publish, { at: now + first.wallMovedMs, payload });
  story.outcome(publish, "OperationPrepared", "prepared");
  story.now = now + 1_000;
  story.send(publish);
  return checkInvariants(story.snapshot()).map(({ detail }) => detail);
}

describe("approvals live by trusted time, not by the clock on the wall", () => {
  test.each([-40 * MINUTE, 9 * 24 * 60 * MINUTE])("a request that left under a clock moved by %i ms", (wallMovedMs) => {
    expect(tellTwice({ trustedAt: 500, wallMovedMs })).toEqual([]);
    // A version that did not tell the trusted moment left the order of the events, and no reason to accuse anybody.
    expect(tellTwice({ trustedAt: null, wallMovedMs })).toEqual([]);
  });

  test("one that left before its approval began or after it ended is none of it, whatever the wall showed", () => {
    const isDead = [expect.stringContaining("was living when")];
    expect(tellTwice({ trustedAt: -1, wallMovedMs: 0 })).toEqual(isDead);
    expect(tellTwice({ trustedAt: 2 * MINUTE, wallMovedMs: 0 })).toEqual(isDead);
  });
});
