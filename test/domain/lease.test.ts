import { describe, expect, test } from "vitest";
import { HEARTBEAT_MS, holdsLease, isLeaseFree, LEASE_TTL_MS } from "../../main/domain/lease";
import { NOW, taskRow } from "./fake-view";

const held = taskRow({ leaseOwner: "executor:a", fencingToken: 3, leaseExpiresAt: NOW + 1 });

test("90 s, and three heartbeats in it", () => {
  expect(LEASE_TTL_MS).toBe(90_000);
  expect(HEARTBEAT_MS).toBe(30_000);
});

describe("a lease", () => {
  test("is free where nobody has it", () =>
    expect(isLeaseFree(taskRow({ leaseOwner: null, leaseExpiresAt: null }), NOW)).toBe(true));
  test("is free where half of it is missing", () => {
    expect(isLeaseFree(taskRow({ leaseOwner: null, leaseExpiresAt: NOW + 1 }), NOW)).toBe(true);
    expect(isLeaseFree(taskRow({ leaseOwner: "executor:a", leaseExpiresAt: null }), NOW)).toBe(true);
  });
  test("is free where it would last longer than any lease: its clock was wrong (C8)", () => {
    const until = (leaseExpiresAt: number) => isLeaseFree(taskRow({ leaseOwner: "executor:a", leaseExpiresAt }), NOW);
    expect([until(NOW + LEASE_TTL_MS), until(NOW + LEASE_TTL_MS + 1), until(NOW + 365 * 86_400_000)]).toEqual([
      false,
      true,
      true,
    ]);
  });
  test("is held to its last millisecond", () => expect(isLeaseFree(held, NOW)).toBe(false));
  test("is free the moment it ends, without anybody giving it back", () =>
    expect(isLeaseFree(held, NOW + 1)).toBe(true));
});

describe("whoever holds it", () => {
  test("is its owner, with the current token, in time", () =>
    expect(holdsLease(held, "executor:a", 3, NOW)).toBe(true));
  test.each([
    ["another executor", "executor:b", 3, NOW],
    ["the owner under an old token", "executor:a", 2, NOW],
    ["the owner under a token that does not exist yet", "executor:a", 4, NOW],
    ["the owner too late", "executor:a", 3, NOW + 1],
  ])("is not %s", (_name, owner, token, now) => expect(holdsLease(held, owner, token, now)).toBe(false));
});
