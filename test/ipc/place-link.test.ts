import { describe, expect, it } from "vitest";
import { linkTo, placeOfLink } from "../../preload/contract/place-link";

describe("a link from outside", () => {
  it.each([
    ["imprimatur://today", { screen: "today", subject: null }],
    ["imprimatur://run/t-0123abcd", { screen: "run", subject: "t-0123abcd" }],
    ["imprimatur://incidents", { screen: "incidents", subject: null }],
    ["imprimatur://recovery/ri-9f", { screen: "recovery", subject: "ri-9f" }],
  ])("%s names a place", (link, place) => {
    expect(placeOfLink(link)).toEqual(place);
    expect(linkTo(place as never)).toBe(link);
  });

  it("is read as desktops hand it on: in capitals, with a stroke at its end", () => {
    expect(placeOfLink("IMPRIMATUR://Health/")).toEqual({ screen: "health", subject: null });
  });

  it.each([
    ...["", "imprimatur:", "imprimatur://", "imprimatur:today", "imprimatur:///today", "app://imprimatur/index.html"],
    ...["imprimatur://approve/t-1", "imprimatur://run", "imprimatur://run/", "imprimatur://today/t-1"],
    ...["imprimatur://send/t-1?approve=1", "imprimatur://send/t-1#approve", "imprimatur://send/t-1/approve"],
    ...[
      "imprimatur://editor@run/t-1",
      "imprimatur://run:80/t-1",
      "imprimatur://run/../send/t-1",
      "imprimatur://run/%2e%2e",
    ],
    ...[
      "imprimatur://run/t 1",
      "imprimatur://run/t-1\n",
      "imprimatur://run/\u202et-1",
      `imprimatur://run/${"t".repeat(81)}`,
    ],
    ...["javascript:alert(1)", "file:///etc/passwd", "imprimatur://constructor", "imprimatur://run/<script>"],
  ])("%j names none", (link) => {
    expect(placeOfLink(link)).toBeNull();
  });
});
