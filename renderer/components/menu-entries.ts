import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import { type Boot, useApp } from "../stores/app";
import { useLink } from "../stores/link";
import { useMenu } from "../stores/menu";
import { PLACES_BY_DIGIT, useNav } from "../stores/nav";
import { openOther } from "../stores/open-other";
import { refreshShown } from "../stores/refresh";
import { useToday } from "../stores/today";
import { copyText } from "./copy-text";

export interface MenuEntry {
  id: string;
  group: "places" | "actions";
  label: string;
  shortcut?: string;
  run: () => void;
}

/** Everything the command menu offers: places, and actions that change nothing outside this window. Approvals are not among them. */
export function useMenuEntries(): MenuEntry[] {
  const { t } = useTranslation();
  const today = useToday((state) => state.answer.value);
  const boot = useApp((state) => state.boot);
  const { go } = useNav.getState();
  const editions = new Map<string, string>();
  for (const item of [...(today?.waiting ?? []), ...(today?.live ?? []), ...(today?.ended ?? [])])
    editions.set(item.taskId, item.edition);
  const entries: MenuEntry[] = [
    { id: "today", group: "places", label: t("menu.toToday"), run: () => go({ screen: "today" }) },
  ];
  if (boot?.workspace?.kind === "sandbox")
    entries.push({ id: "sandbox", group: "places", label: t("menu.toSandbox"), run: () => go({ screen: "sandbox" }) });
  entries.push({ id: "alerts", group: "places", label: t("menu.toAlerts"), run: () => go({ screen: "alerts" }) });
  entries.push({ id: "recovery", group: "places", label: t("menu.toRecovery"), run: () => go({ screen: "recovery" }) });
  entries.push({
    id: "incidents",
    group: "places",
    label: t("menu.toIncidents"),
    run: () => go({ screen: "incidents" }),
  });
  entries.push({ id: "ledger", group: "places", label: t("menu.toLedger"), run: () => go({ screen: "ledger" }) });
  entries.push({ id: "health", group: "places", label: t("menu.toHealth"), run: () => go({ screen: "health" }) });
  entries.push({ id: "drills", group: "places", label: t("menu.toDrills"), run: () => go({ screen: "drills" }) });
  entries.push({ id: "audit", group: "places", label: t("menu.toAudit"), run: () => go({ screen: "audit" }) });
  entries.push({
    ...{ id: "settings", group: "places", label: t("menu.toSettings"), shortcut: "Ctrl ," },
    run: () => go({ screen: "settings" }),
  });
  for (const [taskId, edition] of editions) {
    entries.push({
      id: `run-${taskId}`,
      group: "places",
      label: t("menu.openRun", { edition }),
      run: () => go({ screen: "run", taskId }),
    });
    entries.push({
      id: `draft-${taskId}`,
      group: "places",
      label: t("menu.openDraft", { edition }),
      run: () => go({ screen: "draft", taskId }),
    });
    entries.push({
      id: `content-${taskId}`,
      group: "places",
      label: t("menu.openContent", { edition }),
      run: () => go({ screen: "content", taskId }),
    });
    entries.push({
      id: `send-${taskId}`,
      group: "places",
      label: t("menu.openSend", { edition }),
      run: () => go({ screen: "send", taskId }),
    });
    entries.push({
      id: `compensation-${taskId}`,
      group: "places",
      label: t("menu.openCompensation", { edition }),
      run: () => go({ screen: "compensation", taskId }),
    });
  }
  return [
    ...entries.map(withShortcut),
    ...workspaceEntries(t, boot),
    ...programEntries(t, boot?.preferences.language ?? "zh-CN"),
  ];
}

/** The key of a place, where it has one. */
function withShortcut(entry: MenuEntry): MenuEntry {
  const digit = 1 + (PLACES_BY_DIGIT as readonly string[]).indexOf(entry.id);
  return digit === 0 ? entry : { ...entry, shortcut: `Ctrl ${digit}` };
}

/** The other workspace of the program. */
function workspaceEntries(t: TFunction, boot: Boot | null): MenuEntry[] {
  if (boot === null || boot.workspace?.kind !== "sandbox") return [];
  const common = { id: "open-other", group: "actions" } as const;
  if (boot.workspace.isSampleLedger)
    return [{ ...common, label: t("setup.sandbox.open"), run: () => openOther("openSandbox") }];
  const { state } = boot.ledger;
  if (state === "ready") return [{ ...common, label: t("setup.ledger.open"), run: () => openOther("openLedger") }];
  // Making it takes nobody away from where they are.
  const make = () => void useApp.getState().openLedger();
  return state === "absent" ? [{ ...common, label: t("setup.ledger.make"), run: make }] : [];
}

function programEntries(t: TFunction, language: "zh-CN" | "en"): MenuEntry[] {
  const { prefer } = useApp.getState();
  return [
    {
      id: "copy-link",
      group: "actions",
      label: t("menu.copyLink"),
      run: () => void useLink.getState().copyHere(copyText),
    },
    { id: "refresh", group: "actions", label: t("menu.refresh"), run: () => void refreshShown() },
    {
      id: "language",
      group: "actions",
      label: t("menu.language"),
      run: () => void prefer({ language: language === "en" ? "zh-CN" : "en" }),
    },
    { id: "light", group: "actions", label: t("menu.themeLight"), run: () => void prefer({ theme: "light" }) },
    { id: "dark", group: "actions", label: t("menu.themeDark"), run: () => void prefer({ theme: "dark" }) },
    { id: "system", group: "actions", label: t("menu.themeSystem"), run: () => void prefer({ theme: "system" }) },
    {
      id: "shortcuts",
      group: "actions",
      label: t("menu.shortcuts"),
      shortcut: "?",
      run: () => useMenu.getState().open("shortcuts"),
    },
  ];
}
