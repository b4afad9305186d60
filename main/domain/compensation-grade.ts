/**
 * How far an effect can be undone (domain 9): A local, idempotent, automatic · B cross-service, idempotent, retried up to 3 ·
 * C a person acts, with a plan written beforehand · D irreversible, never in an automatic chain.
 */
export type CompensationGrade = "A" | "B" | "C" | "D";
