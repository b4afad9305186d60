import type { TransitionCommand } from "../domain/commands";
import type { Unmet } from "../domain/unmet";

/** A command made for a person, or what stands against making one. */
export type Made = { command: TransitionCommand } | { unmet: readonly Unmet[] };
