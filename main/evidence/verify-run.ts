/** One question that was asked of a bundle, and the answer. */
export interface BundleCheck {
  name: BundleCheckName;
  ok: boolean;
  detail: string;
}

/** In the order in which they are asked. None is asked whose ground another has taken away. */
export const BUNDLE_CHECKS = [
  "archive",
  "names",
  "container",
  "bag",
  "signature",
  "signer",
  "timestamp",
  "tag_files",
  "file_list",
  "payload",
  "oxum",
  "chain",
  "head",
  "bodies",
  "tasks",
  "approvals",
  "approval_signatures",
] as const;
export type BundleCheckName = (typeof BUNDLE_CHECKS)[number];

/** Faults named in one answer; the count says the rest. */
const NAMED = 5;

/** Collects answers; what was not asked has failed, and says so. */
export class VerifyRun {
  private readonly answers = new Map<BundleCheckName, BundleCheck>();

  answer(name: BundleCheckName, ok: boolean, detail: string): boolean {
    this.answers.set(name, { name, ok, detail });
    return ok;
  }

  /** @param fine what to say when there is no fault */
  judge(name: BundleCheckName, faults: readonly string[], fine: string): boolean {
    const more = faults.length > NAMED ? `; and ${faults.length - NAMED} more` : "";
    return this.answer(
      name,
      faults.length === 0,
      faults.length === 0 ? fine : faults.slice(0, NAMED).join("; ") + more,
    );
  }

  checks(): BundleCheck[] {
    return BUNDLE_CHECKS.map(
      (name) =>
        this.answers.get(name) ?? { name, ok: false, detail: "not looked at, because of what is wrong before it" },
    );
  }
}
