import { expect, test } from "vitest";
import { openBreakers } from "../../db/breakers";
import { Breaker, hostOf } from "../../main/engine/breaker";
import { testFolder, testJournal } from "./journal-file";

const NOW = Date.parse("2026-07-20T00:00:00Z");

test("a breaker opens after five failures in a row, waits longer each time, and closes at the first success", () => {
  const { sqlite } = testJournal();
  const breaker = new Breaker(openBreakers(sqlite));
  for (let failure = 1; failure < 5; failure += 1) {
    breaker.failed("cms", NOW);
    expect(breaker.openUntil("cms", NOW)).toBeNull();
  }
  breaker.failed("cms", NOW);
  expect(breaker.openUntil("cms", NOW)).toBe(NOW + 30_000);
  expect(breaker.openUntil("cms", NOW + 30_000)).toBeNull();
  expect(breaker.openUntil("mail", NOW)).toBeNull();
  breaker.failed("cms", NOW + 30_000);
  expect(breaker.openUntil("cms", NOW + 30_000)).toBe(NOW + 90_000);
  for (let failure = 0; failure < 20; failure += 1) breaker.failed("cms", NOW);
  expect(breaker.openUntil("cms", NOW)).toBe(NOW + 600_000);
  expect(breaker.open(NOW)).toEqual([{ host: "cms", failures: 26, openedAt: NOW, retryAt: NOW + 600_000 }]);
  breaker.succeeded("cms");
  expect(breaker.openUntil("cms", NOW)).toBeNull();
  expect(breaker.open(NOW)).toEqual([]);
});

test("an open breaker survives a restart", () => {
  const dir = testFolder();
  const before = testJournal({ dir });
  for (let failure = 0; failure < 5; failure += 1) new Breaker(openBreakers(before.sqlite)).failed("cms", NOW);
  before.close();
  const after = testJournal({ dir });
  expect(new Breaker(openBreakers(after.sqlite)).openUntil("cms", NOW)).toBe(NOW + 30_000);
});

test("a count that cannot be written is forgotten, and the call that it counts goes on", () => {
  const { sqlite } = testJournal();
  const breaker = new Breaker(openBreakers(sqlite));
  sqlite.pragma("query_only = 1");
  breaker.failed("cms", NOW);
  sqlite.pragma("query_only = 0");
  expect(breaker.open(NOW)).toEqual([]);
});

test("the host of an address is its authority; what is no address has a breaker of its own", () => {
  expect(hostOf("http://Example.org:8080/cms/posts?x=1")).toBe("example.org:8080");
  expect(hostOf("smtp-relay")).toBe("smtp-relay");
});
