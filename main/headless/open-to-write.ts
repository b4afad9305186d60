import { openEvidenceRows } from "../../db/evidence-rows";
import { openJournal } from "../../db/open";
import { lastEventAt } from "../../db/queries/registered-signers";
import { createSystemClock } from "../adapters/clock";

/** Why it was not done, and the exit code: 2 for a mistake of the call, 1 for a workspace that does not take it. */
export interface Wrong {
  wrong: string;
  code: number;
}

export interface WorkspacePlace {
  dir: string;
  workspaceId: string;
  kind: "sandbox" | "real";
}

/** Whose journal it is, read before anything is written. */
export function placeOfWorkspace(dir: string): WorkspacePlace | Wrong {
  const rows = openEvidenceRows(dir);
  if (rows.kind === "problem") return { wrong: `${rows.problem.code}: ${rows.problem.detail}`, code: 1 };
  const { workspaceId, kind } = rows.rows;
  rows.rows.close();
  return { dir, workspaceId, kind };
}

type OpenDatabase = Extract<ReturnType<typeof openJournal>, { kind: "opened" }>["journal"];

/** Opens a journal for one command's writes. A journal that was put back is the app's to open first, which asks what went out. */
export function openToWrite(place: WorkspacePlace): { database: OpenDatabase } | Wrong {
  const opened = openJournal({ ...place, now: 0 });
  if (opened.kind === "problem")
    return { wrong: `${opened.problem.code}: ${opened.problem.path}: ${opened.problem.detail}`, code: 1 };
  const { journal: database } = opened;
  if (database.epochChange === null) return { database };
  database.close();
  return { wrong: "this journal was put back or moved; open it in the app first, which asks what went out", code: 1 };
}

/** A sandbox's time is its own, and a journal's never runs backwards. @returns ms UTC */
export function nowIn({ kind }: WorkspacePlace, { sqlite }: OpenDatabase): number {
  const last = lastEventAt(sqlite) ?? 0;
  return kind === "sandbox" ? last : Math.max(createSystemClock().now(), last);
}
