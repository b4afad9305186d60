import { onTestFinished } from "vitest";
import { AppBackend } from "../../main/compose/backend";
import type { BackendOptions } from "../../main/compose/backend-options";
import type { Output } from "../../preload/contract";
import { problem as english } from "../../renderer/locales/en/setup";
import { problem as chinese } from "../../renderer/locales/zh-CN/setup";

type Bootstrap = Output<"app.bootstrap">;

const NO_KEYCHAIN = { kind: "refused", code: "no_keychain" } as const;
const NOTHING_KEPT = { read: () => [], add: () => undefined, replace: () => undefined };

/** The app without its window: the same backend that answers the page, on a machine without a keychain. It ends with the test. */
export async function openApp(userDataDir: string, samplesDir: string): Promise<AppBackend> {
  const options: BackendOptions = {
    ...{ userDataDir, samplesDir, version: "0", runtime: "node" },
    preferences: {
      read: () => ({ language: "en", theme: "system" }),
      change: () => ({ language: "en", theme: "system" }),
    },
    showFolder: () => undefined,
    startChild: () => {
      throw new Error("no program of its own is started here");
    },
    evidenceKey: { file: "", read: () => NO_KEYCHAIN, make: () => NO_KEYCHAIN },
    timestampServer: { read: () => null, write: () => false },
    evidenceFiles: { chooseNew: async () => null, chooseBundle: async () => null, writeText: () => false },
    ...{ drillResults: NOTHING_KEPT, evidenceBundles: NOTHING_KEPT, chainChecks: NOTHING_KEPT },
  };
  const app = new AppBackend(options);
  onTestFinished(() => app.stopNow());
  await app.start();
  return app;
}

/** What the page shows in place of the workspace: which problem, which file, and the words for it in both languages. */
export function pageOf({ problem }: Bootstrap) {
  if (problem === null) return null;
  const words = (language: typeof english) => ({
    title: language.title[problem.code],
    steps: Object.values(language.steps[problem.code]),
  });
  return { code: problem.code, path: problem.path, en: words(english), zh: words(chinese as typeof english) };
}

/** Asks again until it is so. The test's own limit ends it otherwise. */
export async function waitUntil(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 20));
}
