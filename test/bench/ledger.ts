import type { Input } from "../../preload/contract";
import { World } from "../support/world";
import { worldViews } from "../support/world-views";
import { walkOne } from "./metrics";
import { multiplyJournal } from "./multiply-journal";
import { timedReads } from "./timed-reads";

const WALKED = 40;
const EDITIONS = 10_000;
const DAY_MS = 86_400_000;
const READS = 20;
/** As many rows as stand on a large screen, with those around them. */
const SEEN = 60;

type Asked = Input<"ledger.get">;
const everything: Asked = {
  filter: { outcomes: [], marks: [], from: null, to: null, text: "" },
  sort: { by: "started", descending: true },
};

/**
 * What the ledger takes to read with 10,000 editions, which are two hundred years: the order of all of them as it is first shown,
 * sorted by what costs most, filtered, searched; the rows of one screen; and all rows, as an export asks for them.
 */
export async function benchLedger() {
  const world = new World();
  try {
    for (let number = 0; number < WALKED; number += 1) walkOne(world, number);
    const { sqlite } = world.database;
    multiplyJournal(sqlite, EDITIONS / WALKED - 1, DAY_MS);
    const views = worldViews(world);
    const { taskIds } = views.ledger(everything);
    const order = (change: { filter?: Partial<Asked["filter"]>; sort?: Asked["sort"] }) =>
      timedReads(READS, () =>
        views.ledger({
          filter: { ...everything.filter, ...change.filter },
          sort: change.sort ?? everything.sort,
        }),
      );
    return {
      editions: taskIds.length,
      events: Number(sqlite.prepare("SELECT count(*) FROM event").pluck().get()),
      newestFirst: await order({}),
      byPeoplesTime: await order({ sort: { by: "human", descending: true } }),
      byRecovered: await order({ sort: { by: "recovered", descending: true } }),
      unknownOnly: await order({ filter: { marks: ["unknown"] } }),
      byText: await order({ filter: { text: "w30" } }),
      rowsSeen: await timedReads(READS, (turn) => views.ledgerRows(taskIds.slice(turn * 400, turn * 400 + SEEN))),
      allRows: await timedReads(3, () => views.allLedgerRows(everything)),
    };
  } finally {
    world.close();
  }
}
