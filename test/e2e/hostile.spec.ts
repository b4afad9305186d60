import { expect, test } from "./app";
import * as desk from "./desk";
import { addFault, remoteUrl } from "./remote";

/** Markup in a source's own words, as a feed carries it when its headline speaks of markup, or when somebody is at work. */
const SCRIPT = `<script>document.title="ran"</script>`;
const IMAGE = `<img src=x onerror="document.title='ran'">`;
const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
const HEADLINES = [`Orbit ${SCRIPT} adds ${IMAGE} a window`, `Harbor ${SCRIPT} returns ${IMAGE} hints`];

test("scripts and markup in a source are shown as the text they are, and run nowhere", async ({ win }) => {
  await desk.openSandbox(win);
  await desk.goTo(win, "Sandbox");
  const url = await remoteUrl(win);
  const amended = { on: "source.read", fault: "wrong-body", times: 99 };
  await addFault(url, {
    ...amended,
    params: {
      file: "orbit-changelog.xml",
      from: "Orbit Gateway 4.2 adds a batch window for agent calls",
      // Twice: a reader of RSS takes a title for HTML and unescapes it once more.
      to: escaped(escaped(HEADLINES[0] ?? "")),
    },
  });
  await addFault(url, {
    ...amended,
    params: {
      file: "harbor-releases.atom",
      from: "Harbor 2.4 returns structured retry hints",
      to: escaped(HEADLINES[1] ?? ""),
    },
  });
  const title = await win.title();
  await desk.goTo(win, "Today");
  await desk.startEdition(win);
  await desk.openWaiting(win, "Content approval");

  const facts = win.getByRole("list", { name: "Facts of this edition" });
  for (const headline of HEADLINES) await expect(facts.getByText(headline)).toBeVisible();
  const source = win.getByRole("region", { name: "Frozen source" });
  await facts.getByText(HEADLINES[0] ?? "").click();
  await expect(source.getByText(HEADLINES[0] ?? "")).toBeVisible();

  await win.getByRole("tab", { name: "Preview" }).click();
  for (const [shown, frame] of [
    ["Desktop", "Preview of the page at desktop width"],
    ["E-mail", "Preview of the e-mail"],
  ] as const) {
    await win.getByRole("radio", { name: shown }).check();
    const inside = win.getByTitle(frame).contentFrame();
    for (const headline of HEADLINES) await expect(inside.getByRole("link", { name: headline })).toBeVisible();
    await expect(inside.getByRole("img")).toHaveCount(0);
  }
  await win.getByRole("tab", { name: "Changes" }).click();
  const changes = win.getByRole("tabpanel", { name: "Changes" });
  for (const headline of HEADLINES) await expect(changes.getByText(headline).first()).toBeVisible();

  await desk.turnTo(win, "Draft");
  const [orbit = ""] = HEADLINES;
  await expect(win.getByRole("group", { name: /^Fact 1/ }).getByLabel("Headline")).toHaveValue(orbit);
  const text = win.getByRole("textbox", { name: /, to select from$/ });
  await expect.poll(() => text.inputValue()).toContain(orbit);
  expect(await win.title()).toBe(title);
});
