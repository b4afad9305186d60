import { z } from "zod";

/** Which places a link may name, and whether it says of what: an edition's task, an item, an incident, an alert. */
const PLACES = {
  today: "alone",
  sandbox: "alone",
  drills: "alone",
  health: "alone",
  ledger: "alone",
  audit: "alone",
  settings: "alone",
  alerts: "either",
  recovery: "either",
  incidents: "either",
  run: "of",
  draft: "of",
  content: "of",
  send: "of",
  compensation: "of",
} as const;
export type LinkedScreen = keyof typeof PLACES;
const SCREENS = Object.keys(PLACES) as [LinkedScreen, ...LinkedScreen[]];

/** Of our own ids nothing else is made; what a link says besides, it does not say to us. */
const SUBJECT = /^[A-Za-z0-9_:-]{1,80}$/;

/** A place and what it is of; null where it is of nothing. */
export const LinkedPlace = z
  .object({ screen: z.enum(SCREENS), subject: z.string().regex(SUBJECT).nullable() })
  .refine(({ screen, subject }) => PLACES[screen] === "either" || (PLACES[screen] === "of") === (subject !== null), {
    message: "this place is of nothing, or nothing says of what",
  });
export type LinkedPlace = z.infer<typeof LinkedPlace>;

/** Not the scheme of our own pages (`app`): what comes from outside must never be an address that a page is loaded from. */
export const LINK_SCHEME = "imprimatur";

/** The link to a place: `imprimatur://run/t-1`. It opens the place, and can carry nothing else. */
export const linkTo = ({ screen, subject }: LinkedPlace): string =>
  `${LINK_SCHEME}://${screen}${subject === null ? "" : `/${subject}`}`;

/** @returns the place that a link names, or null: no link of ours, an unknown place, or anything more than a place. */
export function placeOfLink(link: string): LinkedPlace | null {
  // Browsers and desktops add the stroke at the end by themselves.
  const [, screen, subject] = /^imprimatur:\/\/([a-z]{1,20})(?:\/([^/]{1,80}))?\/?$/i.exec(link) ?? [];
  const parsed = LinkedPlace.safeParse({ screen: screen?.toLowerCase(), subject: subject ?? null });
  return parsed.success ? parsed.data : null;
}
