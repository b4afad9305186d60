import { connectInspector } from "../../../db/connect";
import { verifyWholeChain } from "../../../db/verify-chain";
import { ratioInTurns } from "./turns";

const TURNS = 9;

/** The verification of both chains, beside SQLite's own check of the same file on the same connection. */
export async function benchChain(path: string) {
  const sqlite = connectInspector(path);
  try {
    const { events, ok } = verifyWholeChain(sqlite);
    if (!ok) throw new Error("the journal that is measured is not whole");
    const speed = await ratioInTurns(
      { ours: () => void verifyWholeChain(sqlite), theirs: () => void sqlite.pragma("integrity_check") },
      TURNS,
    );
    return { events, ...speed };
  } finally {
    sqlite.close();
  }
}
