import { afterEach, describe, expect, it } from "vitest";
import type { Place } from "../../renderer/stores/nav";
import { useNav } from "../../renderer/stores/nav";
import { backups, badRows, chosen, ready, settings } from "./fixtures/settings";
import { close, find, findAll, get, getAsync, isDisabled, open, press, textOf, type, waitFor } from "./page";

afterEach(close);

const place: Place = { screen: "settings" };
const region = (name: string) => getAsync("region", name);

/** A field that offers columns by their names. */
async function pick(label: string, option: string): Promise<void> {
  const field = (await waitFor(() =>
    [...document.querySelectorAll("select")].find(
      (one) => textOf(document.querySelector(`label[for="${one.id}"]`)) === label,
    ),
  )) as HTMLSelectElement;
  const wanted = [...field.options].find((one) => one.text === option)?.value ?? "";
  Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, "value")?.set?.call(field, wanted);
  field.dispatchEvent(new Event("change", { bubbles: true }));
}

describe("the import of an audience", () => {
  it("goes from the file over its columns and what would change to the import, and asks before it", async () => {
    const api = await open(place);
    (await getAsync("button", "Import a list …")).click();
    await waitFor(() => textOf(document.body).includes("customers-july.csv, 65 rows"));
    // Nothing is looked at before it is known what the columns hold.
    expect(api.of("audience.preview")).toEqual([]);
    await pick("Customer's id", "Customer");
    await pick("E-mail address", "Customer");
    await waitFor(() => find("alert", "One column cannot be the id and the address."));
    expect(api.of("audience.preview")).toEqual([]);
    await pick("E-mail address", "E-mail");
    await waitFor(() => api.of("audience.preview").length === 1);
    await pick("Group", "Plan");
    await waitFor(() => api.of("audience.preview").length === 2);
    expect(api.of("audience.preview").at(-1)).toEqual({ columns: { id: 0, address: 1, group: 3 } });
    const preview = textOf(await region("What the import would do"));
    expect(preview).toContain("New2c064c065");
    expect(preview).toContain("Not on the list any more1c009");
    expect(preview).toContain("Line 66, c066: the address of line 8, which stands");
    expect(preview).toContain("x12 stays c012");
    (await getAsync("button", "Replace the audience by 64 people …")).click();
    const dialog = await getAsync("dialog");
    expect(textOf(dialog)).toContain("1 person leaves the audience; the address is deleted.");
    expect(api.of("audience.import")).toEqual([]);
    get("button", "Replace the audience by 64 people", dialog).click();
    await waitFor(() => find("status", "The list is imported: the audience is 64 people now."));
    expect(api.of("audience.import")).toEqual([
      { columns: { id: 0, address: 1, group: 3 }, importVersion: ready.importVersion },
    ]);
    expect(find("region", "Columns of the list")).toBeUndefined();
  });

  it("lists every bad row by its line and reason, and offers no import", async () => {
    await open(place, (api) => {
      api.answer("audience.choose", () => ({ ...chosen, usual: { id: 0, address: 1, group: 3 } }));
      api.answer("audience.preview", () => badRows);
    });
    (await getAsync("button", "Import a list …")).click();
    const alert = await waitFor(() => find("alert", /cannot be imported, so none is/));
    expect(textOf(alert)).toContain("3 of 65 rows");
    expect(textOf(alert)).toContain("Line 9: An id is letters");
    expect(find("button", /^Replace the audience/)).toBeUndefined();
    get("button", "Put the list away").click();
    await waitFor(() => !find("region", "Columns of the list"));
  });

  it("says that the audience was changed meanwhile, and looks again", async () => {
    const api = await open(place, (fake) => {
      fake.answer("audience.choose", () => ({ ...chosen, usual: { id: 0, address: 1, group: 3 } }));
      fake.answer("audience.import", () => ({ result: "stale" }));
    });
    (await getAsync("button", "Import a list …")).click();
    (await getAsync("button", "Replace the audience by 64 people …")).click();
    get("button", "Replace the audience by 64 people", await getAsync("dialog")).click();
    await waitFor(() => find("alert", /Nothing was imported; look at the preview again/));
    await waitFor(() => api.of("audience.preview").length === 2);
  });

  it("tells why a file is no list; a dialog that was left changes nothing", async () => {
    const api = await open(place, (fake) =>
      fake.answer("audience.choose", () => ({ result: "refused", name: "film.csv", line: 0, reason: "too_large" })),
    );
    (await getAsync("button", "Import a list …")).click();
    await waitFor(() => find("alert", "film.csv is no list of customers: It is larger than 20 MB."));
    api.answer("audience.choose", () => ({ result: "nothing_chosen" }));
    get("button", "Choose another file …").click();
    await waitFor(() => api.of("audience.choose").length === 2);
    expect(find("alert", /film.csv/)).toBeDefined();
  });
});

describe("the suppression list", () => {
  it("takes a customer on by id and reason, never by an address", async () => {
    const api = await open(place);
    const form = await region("Put somebody on the list");
    const button = get("button", "Never mail this customer", form);
    type(get("textbox", "Customer's id", form), "a@b.org");
    await waitFor(() => textOf(form).includes("never an address"));
    type(get("textbox", "Reason", form), "unsubscribed");
    expect(isDisabled(button)).toBe(true);
    type(get("textbox", "Customer's id", form), " c003 ");
    await waitFor(() => !isDisabled(button));
    button.click();
    await waitFor(() => textOf(document.body).includes("Suppressing c003: done, saved in the journal."));
    expect(api.of("audience.suppress")).toEqual([{ recipientId: "c003", reason: "unsubscribed" }]);
    // What was done is seen: the settings are asked for again.
    await waitFor(() => api.of("settings.get").length > 1);
  });

  it("takes a customer off only for a reason, and shows a refusal", async () => {
    const api = await open(place, (fake) =>
      fake.answer("audience.release", () => ({
        ...{ result: "guard_failed", unmet: [{ code: "recipient_not_suppressed", values: { recipient: "c007" } }] },
      })),
    );
    (await getAsync("button", "Release c007 …")).click();
    const dialog = await getAsync("dialog", undefined);
    expect(isDisabled(get("button", "Take off the list", dialog))).toBe(true);
    type(get("textbox", "Reason", dialog), "asked for it again");
    await waitFor(() => !isDisabled(get("button", "Take off the list", dialog)));
    get("button", "Take off the list", dialog).click();
    await waitFor(() => textOf(document.body).includes("c007 is not on the suppression list."));
    expect(api.of("audience.release")).toEqual([{ recipientId: "c007", reason: "asked for it again" }]);
  });
});

describe("what is in force", () => {
  it("is told with zone, version and what the next change of the clocks does", async () => {
    await open(place);
    const daily = textOf(await region("Daily reconciliation"));
    expect(daily).toContain("Paused since");
    expect(daily).toContain("the clocks go back by 1 h");
    expect(findAll("li", /Europe\/Berlin$/)).toHaveLength(5);
    expect(textOf(await region("Weekly briefing"))).toContain(
      "The clocks of Asia/Shanghai do not change within a year.",
    );
    expect(textOf(await region("Retry policies"))).toContain("1 s · 4 s, 1 min at most");
    expect(textOf(await region("Audience"))).toContain("without a group 10");
  });

  it("has language and theme in one place, and is reached by its key", async () => {
    const api = await open(null);
    press(",", { on: document.body, ctrlKey: true });
    await getAsync("heading", "Settings");
    expect(useNav.getState().place.screen).toBe("settings");
    (await getAsync("radio", "Dark")).click();
    await waitFor(() => api.of("app.setPreferences").length === 1);
    get("radio", "Quit").click();
    await waitFor(() => api.of("app.setPreferences").length === 2);
    expect(api.of("app.setPreferences")).toEqual([{ theme: "dark" }, { staysInTray: false }]);
  });

  it("asks about a clock that jumped beside what it shows, and lets what waited go on", async () => {
    const api = await open(place);
    const schedules = await region("Schedules");
    await waitFor(() => textOf(schedules).includes("The clock shows"));
    get("button", "The clock is right: go on", schedules).click();
    await waitFor(() => api.of("settings.resumeSchedule").length === 1);
    expect(api.of("settings.resumeSchedule")).toEqual([{ name: "reconciliation" }]);
  });

  it("says beside the schedule why it could not be let go on, and keeps the question", async () => {
    await open(place, (api) =>
      api.answer("settings.resumeSchedule", () => {
        throw new Error("failed: disk_full");
      }),
    );
    const schedules = await region("Schedules");
    get("button", "The clock is right: go on", schedules).click();
    await waitFor(() => textOf(schedules).includes("disk_full"));
    expect(find("button", "The clock is right: go on", schedules)).toBeDefined();
    get("button", "Ask again", schedules).click();
    await waitFor(() => find("alert", undefined, schedules) === undefined);
  });

  it("says what will appear where nobody is on the list", async () => {
    await open(place, (api) => api.answer("settings.get", () => ({ ...settings, suppressions: [] })));
    await waitFor(() => textOf(document.body).includes("Nobody is on it."));
  });
});

describe("backups", () => {
  it("says where, when, how many and how large, begins one, shows the folder, and is stopped", async () => {
    const api = await open(place);
    const panel = await region("Backups");
    await waitFor(() => textOf(panel).includes("/media/lin/usb"));
    expect(textOf(panel)).toContain("1,812 events; 14 backups in the folder");
    expect(textOf(panel)).toContain("Not in a backup: customers.key and signer.key.");
    expect(textOf(panel)).toContain("raises the epoch");
    get("button", "Show the folder", panel).click();
    await waitFor(() => api.of("backups.show").length === 1);
    api.answer("backups.get", () => ({ ...backups, running: { step: "blobs", done: 3, of: 40 } }));
    get("button", "Back up now", panel).click();
    await waitFor(() => find("status", /Copying frozen bytes/));
    get("button", "Stop this backup").click();
    await waitFor(() => api.of("backups.cancel").length === 1);
  });

  it("is off until a folder is chosen, says why a folder cannot be one, and why the last try failed", async () => {
    const last = { result: "failed", at: settings.clock.now, code: "disk_full", path: "/media/full", detail: "ENOSPC" };
    await open(place, (api) => {
      api.answer("backups.get", () => ({ ...backups, folder: null, made: null, last: last as never }));
      api.answer("backups.choose", () => ({ result: "inside_workspace" }));
    });
    const panel = await region("Backups");
    await waitFor(() => textOf(panel).includes("Off: no folder is chosen"));
    expect(textOf(panel)).toContain("The disk is full. You: make room");
    expect(isDisabled(get("button", "Back up now", panel))).toBe(true);
    get("button", "Choose a folder …", panel).click();
    await waitFor(() => find("alert", /It lies inside a workspace/));
  });
});
