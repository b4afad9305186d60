/**
 * The journal's tables as typed columns, for reading. The migrations are the truth (checks, triggers, STRICT); a test holds
 * every table here against a fresh database, so that the two cannot drift apart. Names equal main/domain/records.ts.
 */
export * from "./schema/account-tables";
export * from "./schema/effect-tables";
export * from "./schema/intent-tables";
