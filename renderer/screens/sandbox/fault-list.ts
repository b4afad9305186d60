/** The faults that are offered, by remote: those an editor can tell apart by what happens. */
export const FAULT_GROUPS = [
  {
    group: "website",
    faults: [
      { on: "cms.create", fault: "hang-after-commit" },
      { on: "cms.create", fault: "drop-before-commit" },
      { on: "cms.create", fault: "status-after-commit" },
      { on: "cms.create", fault: "unparsable" },
      { on: "cms.create", fault: "duplicate" },
      { on: "cms.create", fault: "conflict-other" },
      { on: "cms.create", fault: "auth" },
      { on: "cms.query", fault: "stale" },
    ],
  },
  {
    group: "mail",
    faults: [
      { on: "mail.create", fault: "hang-after-commit" },
      { on: "mail.create", fault: "drop-before-commit" },
      { on: "mail.create", fault: "duplicate" },
      { on: "mail.trigger", fault: "hang-after-commit" },
      { on: "mail.trigger", fault: "status-after-commit" },
      { on: "mail.query", fault: "status" },
    ],
  },
  {
    group: "reading",
    faults: [
      { on: "site.read", fault: "wrong-body" },
      { on: "site.read", fault: "missing-link" },
      { on: "source.read", fault: "status" },
      { on: "link.read", fault: "hang-before-commit" },
    ],
  },
] as const;

/** The name under which the locales know a fault: a dot would mean something else there. */
export const faultWordCode = (fault: { on: string; fault: string }): string =>
  `${fault.on.replace(".", "_")}/${fault.fault}`;
