/** First run and the start-up problems. */
export const setup = {
  title: "Choose a workspace",
  lead: "Imprimatur publishes nothing without your approval of exactly those bytes, and nothing twice.",
  sandbox: {
    title: "Sandbox workspace",
    lead: "Works at once, no accounts.",
    points: {
      sources: "12 sample sources, read from this computer",
      customers: "63 invented customers; no mail leaves this computer",
      remotes: "a local website and a local mail provider, with faults you can switch on",
      clock: "a clock of its own, so that nobody has to wait",
    },
    open: "Open the sandbox workspace",
    opening: "Opening …",
  },
  ledger: {
    title: "Sample ledger",
    lead: "Thirty editions to look at.",
    body: "Thirty Mondays of 2026 are lived through on this computer with the real pipeline and with faults: lost answers, missing sources, a fact without evidence, an edition taken back. It takes about a minute the first time.",
    open: "Open the sample ledger",
    make: "Make the sample ledger",
    building: "The sample ledger is being made: week {{done}} of {{of}}",
    beginning: "The sample ledger is being made …",
    cancel: "Cancel",
    made: "The sample ledger is ready.",
    failed: "The sample ledger could not be made: {{reason}}",
  },
  real: {
    title: "Real workspace",
    lead: "Not in this version.",
    body: "Connecting a real website and a real mail provider is not built yet. The sandbox runs the same journal, approvals and checks.",
  },
  notHere: "There is no sandbox here. The panel belongs to the sandbox workspace.",
};

export const problem = {
  lead: "Nothing is published or mailed while this stands.",
  file: "File",
  what: "What can be done",
  detail: "Technical detail",
  retry: "Try again",
  retrying: "Trying …",
  folder: "Show the folder",
  title: {
    newer_file: "This workspace was written by a newer version",
    damaged: "A file of the workspace is damaged",
    locked: "The workspace is in use by another program",
    read_only: "The workspace can only be read",
    disk_full: "The disk is full",
    chain_broken: "The journal's chain does not verify",
    not_writable: "The workspace's folder cannot be written to",
    unknown: "The workspace could not be opened",
    bridge: "The window has no connection to the app's core",
  },
  steps: {
    newer_file: {
      a: "Start the newer version of Imprimatur.",
      b: "Do not edit the file: this version leaves it as it is.",
    },
    damaged: {
      a: "Keep the file: copy it to a safe place before anything else.",
      b: "Restore the latest backup next to it. After a restore everything recent is reconciled before anything leaves.",
      c: "Check the disk.",
    },
    locked: {
      a: "Close the other window or program that uses this workspace.",
      b: "Then try again; nothing has to be repaired.",
    },
    read_only: {
      a: "Make the file writable, or move the workspace to a disk that can be written to.",
      b: "Then try again.",
    },
    disk_full: { a: "Free some space. Imprimatur deletes nothing by itself.", b: "Then try again." },
    chain_broken: {
      a: "Keep the file: copy it to a safe place. Somebody or something changed it outside of Imprimatur.",
      b: "Run “npm run fsck” on the copy to see the first record that does not fit.",
      c: "Restore the latest backup whose chain verifies.",
    },
    not_writable: { a: "Give your account the right to write to the folder.", b: "Then try again." },
    unknown: { a: "Try again.", b: "If it stays, keep the file and the technical detail below." },
    bridge: { a: "Close the window and start Imprimatur again. The journal is not affected." },
  },
};
