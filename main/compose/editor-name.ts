import { userInfo } from "node:os";

/** The editor's name in events: the account on this computer. Letters and digits only, since it stands in the journal. */
export const editorName = (): `editor:${string}` =>
  `editor:${userInfo().username.replace(/[^\p{L}\p{N}._-]/gu, "_") || "unnamed"}`;
