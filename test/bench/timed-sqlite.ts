import type { Sqlite } from "../../db/connect";

/** Where the time of one command went, in ms. */
export interface Spent {
  /** The whole transaction. */
  transaction: number;
  /** What was called between BEGIN and COMMIT. */
  inside: number;
  select: number;
  selects: number;
  write: number;
  writes: number;
}

const nothing = (): Spent => ({ transaction: 0, inside: 0, select: 0, selects: 0, write: 0, writes: 0 });

type Call = (...values: unknown[]) => unknown;

/**
 * A connection that notes how long its statements take. Only what the journal uses is noted: prepared statements and
 * transactions; everything else is passed on.
 */
export function timedSqlite(sqlite: Sqlite): { sqlite: Sqlite; take(): Spent } {
  let spent = nothing();
  const around = (call: Call, note: (ms: number) => void): Call => {
    return (...values) => {
      const start = performance.now();
      const result = call(...values);
      note(performance.now() - start);
      return result;
    };
  };
  const timedStatement = (source: string, statement: object): object => {
    const isSelect = /^\s*(select|with)/i.test(source);
    const note = (ms: number) => {
      if (isSelect) {
        spent.select += ms;
        spent.selects += 1;
      } else {
        spent.write += ms;
        spent.writes += 1;
      }
    };
    const timed: object = new Proxy(statement, {
      get(target, name) {
        const member = Reflect.get(target, name) as unknown;
        if (typeof member !== "function") return member;
        const call = (member as Call).bind(target);
        if (name === "run" || name === "get" || name === "all") return around(call, note);
        // raw() and pluck() give the statement itself back.
        return (...values: unknown[]) => (call(...values) === target ? timed : undefined);
      },
    });
    return timed;
  };
  const timedTransaction = (work: Call): object => {
    const transaction = sqlite.transaction(
      around(work, (ms) => {
        spent.inside += ms;
      }),
    );
    const note = (ms: number) => {
      spent.transaction += ms;
    };
    const plain = around(transaction, note);
    return Object.assign(plain, { immediate: around(transaction.immediate as Call, note) });
  };
  const timed = new Proxy(sqlite, {
    get(target, name) {
      if (name === "prepare") return (source: string) => timedStatement(source, target.prepare(source));
      if (name === "transaction") return timedTransaction;
      const member = Reflect.get(target, name) as unknown;
      return typeof member === "function" ? (member as Call).bind(target) : member;
    },
  });
  return {
    sqlite: timed,
    take: () => {
      const taken = spent;
      spent = nothing();
      return taken;
    },
  };
}
