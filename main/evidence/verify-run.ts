/** One question that was asked of a bundle, and the answer. */
export interface BundleCheck {
  name: BundleCheckName;
  /** Null: it stays open, because what would answer it is not there. That is neither good nor bad. */
  ok: boolean | null;
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
  "rows",
  "ledger",
  "files_listed",
  "incidents",
  "texts",
] as const;
export type BundleCheckName = (typeof BUNDLE_CHECKS)[number];

/** Faults named in one answer; the count says the rest. */
const NAMED = 5;

/** Collects answers. What was not asked stays open, and a run in which something was not asked found nothing valid. */
export class VerifyRun {
  private readonly answers = new Map<BundleCheckName, BundleCheck>();

  answer(name: BundleCheckName, ok: boolean, detail: string): boolean {
    this.answers.set(name, { name, ok, detail });
    return ok;
  }

  /** The question cannot be answered from what is there. @param why goes on after "not looked at" */
  leaveOpen(name: BundleCheckName, why: string): void {
    this.answers.set(name, { name, ok: null, detail: `not looked at: ${why}` });
  }

  /**
   * @param fine what to say when there is no fault
   * @param open what could not be looked at, if anything: only where there is no fault does the answer stay open for it
   */
  judge(name: BundleCheckName, faults: readonly string[], fine: string, open: string | null = null): boolean {
    if (faults.length === 0 && open !== null) {
      this.leaveOpen(name, `${open}. What was: ${fine}`);
      return true;
    }
    const more = faults.length > NAMED ? `; and ${faults.length - NAMED} more` : "";
    return this.answer(
      name,
      faults.length === 0,
      faults.length === 0 ? fine : faults.slice(0, NAMED).join("; ") + more,
    );
  }

  /** Nothing is wrong, and everything was asked. */
  isValid(): boolean {
    return BUNDLE_CHECKS.every((name) => {
      const answer = this.answers.get(name);
      return answer !== undefined && answer.ok !== false;
    });
  }

  checks(): BundleCheck[] {
    return BUNDLE_CHECKS.map(
      (name) =>
        this.answers.get(name) ?? { name, ok: null, detail: "not looked at, because of what is wrong before it" },
    );
  }
}
