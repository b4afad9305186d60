import type { RecipientAccountRow } from "./records";

/** A recipient who was mailed and of whom nobody knows yet what became of it: with one of these open no edition is done (I06). */
export const isOpenAccount = ({ outcome }: Pick<RecipientAccountRow, "outcome">): boolean =>
  outcome === "accepted" || outcome === "unknown";
