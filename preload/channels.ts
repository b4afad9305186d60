import type { Channel, PushEvent } from "./contract";

/**
 * What the renderer may ask and hear, as plain lists: the sandboxed preload is one small file and must not carry zod.
 * `test/ipc/contract.test.ts` holds them equal to the contract; a missing name would only be found by a dead button.
 */
export const channels = [
  "app.bootstrap",
  "app.setPreferences",
  "app.retryOpen",
  "app.showFolder",
  "workspace.openSandbox",
  "workspace.openLedger",
  "workspace.cancelLedger",
  "today.get",
  "edition.start",
  "contentReview.get",
  "contentReview.snapshot",
  "contentReview.approve",
  "contentReview.reject",
  "contentReview.edit",
  "approval.revoke",
  "sendReview.get",
  "sendReview.approve",
  "sendReview.reject",
  "sendReview.editEmail",
  "run.get",
  "run.unblock",
  "run.giveVerdict",
  "run.lookNow",
  "run.closeProtectively",
  "run.closeRecipients",
  "run.startCompensation",
  "run.resumeCompensation",
  "run.closeCompensation",
  "compensation.get",
  "compensation.look",
  "incident.close",
  "sandbox.get",
  "sandbox.addFault",
  "sandbox.clearFaults",
  "sandbox.configure",
  "sandbox.setClock",
  "drills.get",
  "drills.start",
  "drills.cancel",
] as const satisfies readonly Channel[];

export const events = [
  "journal.changed",
  "clock.changed",
  "workspace.changed",
  "drill.progress",
  "drill.changed",
] as const satisfies readonly PushEvent[];
