import { type Channel, contract } from "../../preload/contract";
import type { WorkspaceHandlers } from "./handlers";

/** What needs an open workspace: every channel of the contract but the program's own, backups, drills, and those that open one. */
export const WORKSPACE_CHANNELS = (Object.keys(contract) as Channel[]).filter(
  (channel): channel is keyof WorkspaceHandlers => !/^(app|backups|drills|evidence|workspace)\./.test(channel),
);
