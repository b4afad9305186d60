import type { Page } from "@playwright/test";
import { expect } from "./app";

/** What an editor does at the desk, in the editor's own way: by roles and labels, in English. */
export const EDITION = "2026-W30";

/** A stage waits for remotes, for the sandbox's clock and for a machine that may be busy: after this it counts as stuck. */
export const STAGE = { timeout: 30_000 };

export type TaskScreen = "Run" | "Draft" | "Content review" | "Send review" | "Compensation";

export async function openSandbox(win: Page): Promise<void> {
  await win.getByRole("button", { name: "Open the sandbox workspace" }).click();
  await expect(win.getByRole("heading", { name: "Today", level: 1 })).toBeVisible();
}

export async function goTo(
  win: Page,
  place: "Today" | "Sandbox" | "Recovery" | "Ledger" | "Health" | "Drills" | "Audit",
): Promise<void> {
  await win.getByRole("navigation", { name: "Places" }).getByRole("button", { name: place }).click();
  await expect(win.getByRole("heading", { name: place, level: 1 })).toBeVisible();
}

/** To another screen of the edition that is open. */
export async function turnTo(win: Page, screen: TaskScreen): Promise<void> {
  await win
    .getByRole("navigation", { name: `Edition ${EDITION}` })
    .getByRole("button", { name: screen })
    .click();
  await atScreen(win, screen);
}

export async function atScreen(win: Page, screen: TaskScreen): Promise<void> {
  await expect(win.getByRole("heading", { name: `${screen} of ${EDITION}`, level: 1 })).toBeVisible();
}

/** The state beside the edition's name, on any of its screens. */
export async function inState(win: Page, state: string, edition = EDITION): Promise<void> {
  await expect(win.getByRole("heading", { name: edition, level: 1 })).toHaveAccessibleDescription(state, STAGE);
}

export async function switchOn(win: Page, fault: string): Promise<void> {
  await win.getByRole("button", { name: `Switch on: ${fault}` }).click();
  const active = win.getByRole("region", { name: "Active faults" });
  await expect(active.getByRole("listitem").filter({ hasText: fault })).toContainText("fired 0 of 1");
}

export async function behave(win: Page, wanted: { stale?: number; bounces?: number }): Promise<void> {
  const { stale, bounces } = wanted;
  if (stale !== undefined) await win.getByLabel("Stale reads of the public page after a change").fill(String(stale));
  if (bounces !== undefined) await win.getByLabel("Recipients that bounce").fill(String(bounces));
  const apply = win.getByRole("button", { name: "Apply" });
  await apply.click();
  // Off again once the remotes have taken it over.
  await expect(apply).toBeDisabled();
}

export async function startEdition(win: Page, edition = EDITION): Promise<void> {
  await win.getByRole("button", { name: `Start edition ${edition}` }).click();
}

/** From Today to what waits there. */
export async function openWaiting(
  win: Page,
  kind: "Content approval" | "Send approval" | "Blocked" | "Undo by hand" | "Undo failed",
  edition = EDITION,
): Promise<void> {
  const waiting = win.getByRole("region", { name: "Waits for me" });
  await waiting.getByRole("button", { name: `${kind} ${edition}` }).click(STAGE);
}

export const approveContentButton = (win: Page) =>
  win.getByRole("button", { name: /^Approve these bytes for publishing to \S+, until / });

/** Ticks every warning and types the edition, as the screen asks; pressing is left to the caller. */
export async function prepareContentApproval(win: Page, edition = EDITION): Promise<void> {
  const field = win.getByLabel(`Type the edition, ${edition}, to confirm`);
  await expect(field).toBeVisible(STAGE);
  const warnings = win.getByRole("group", { name: "Warnings, each to be ticked" });
  for (const box of await warnings.getByRole("checkbox").all()) await box.check();
  await field.fill(edition);
  await expect(approveContentButton(win)).toBeEnabled();
}

/** The read boxes of the package, as many as there are on the tab that is open. */
export async function markAllRead(win: Page): Promise<void> {
  for (const box of await win.getByRole("checkbox", { name: / read$/ }).all()) await box.check();
}

export const sendButton = (win: Page) => win.getByRole("button", { name: /^Send edition \S+ to \d+ recipients$/ });

/** Types exactly what the screen asks to be typed. */
export async function prepareSendApproval(win: Page): Promise<void> {
  const label = win.getByText(/^Type .+ to confirm$/);
  await expect(label).toBeVisible(STAGE);
  const wanted = /^Type (.+) to confirm$/.exec((await label.textContent()) ?? "")?.[1] ?? "";
  await win.getByLabel(`Type ${wanted} to confirm`).fill(wanted);
  await expect(sendButton(win)).toBeEnabled();
}

/** From Today through both gates; what is not of interest there is approved as it comes. Leaves the send review open. */
export async function publishAndSend(win: Page): Promise<void> {
  await goTo(win, "Today");
  await startEdition(win);
  await openWaiting(win, "Content approval");
  await prepareContentApproval(win);
  await approveContentButton(win).click();
  await goTo(win, "Today");
  await openWaiting(win, "Send approval");
  await prepareSendApproval(win);
  await sendButton(win).click();
  await expect(sendButton(win)).toBeHidden(STAGE);
}
