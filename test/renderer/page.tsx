import "../../renderer/styles/tokens.css";
import "../../renderer/styles";
import { createRoot, type Root } from "react-dom/client";
import { App } from "../../renderer/App";
import { i18next } from "../../renderer/i18n";
import { useAlerts } from "../../renderer/stores/alerts";
import { useApp } from "../../renderer/stores/app";
import { useClock } from "../../renderer/stores/clock";
import { useCommands } from "../../renderer/stores/commands";
import { useCompensation } from "../../renderer/stores/compensation";
import { useContentReview } from "../../renderer/stores/content-review";
import { useDraft } from "../../renderer/stores/draft";
import { useDrills } from "../../renderer/stores/drills";
import { useEvidence } from "../../renderer/stores/evidence";
import { useIncidents } from "../../renderer/stores/incidents";
import { useLedger } from "../../renderer/stores/ledger";
import { useMenu } from "../../renderer/stores/menu";
import { type Place, useNav } from "../../renderer/stores/nav";
import { useReconciliation } from "../../renderer/stores/reconciliation";
import { useRecovery } from "../../renderer/stores/recovery";
import { useRun } from "../../renderer/stores/run";
import { useSandbox } from "../../renderer/stores/sandbox";
import { useSendReview } from "../../renderer/stores/send-review";
import { useSettings } from "../../renderer/stores/settings";
import { useSnapshots } from "../../renderer/stores/snapshots";
import { useToday } from "../../renderer/stores/today";
import { type FakeApi, makeFakeApi } from "./fake-api";

const stores = [
  useAlerts,
  useApp,
  useClock,
  useCommands,
  useCompensation,
  useContentReview,
  useDraft,
  useSnapshots,
  useDrills,
  useEvidence,
  useIncidents,
  useLedger,
  useMenu,
  useNav,
  useRecovery,
  useReconciliation,
  useRun,
  useSandbox,
  useSendReview,
  useSettings,
  useToday,
];

let root: Root | undefined;

/** happy-dom lays nothing out; the virtual lists need to believe in a window of some height. */
function pretendLayout(): void {
  const { happyDOM } = window as unknown as {
    happyDOM?: { settings: { handleDisabledFileLoadingAsSuccess: boolean } };
  };
  if (!happyDOM) return;
  Object.defineProperties(HTMLElement.prototype, {
    clientHeight: { configurable: true, get: () => 600 },
    clientWidth: { configurable: true, get: () => 800 },
    scrollHeight: { configurable: true, get: () => 1_000_000 },
    offsetHeight: { configurable: true, get: () => 24 },
    offsetWidth: { configurable: true, get: () => 800 },
  });
  if (!document.fonts) Object.defineProperty(document, "fonts", { configurable: true, value: new EventTarget() });
  // Preview frames are not loaded here, and need not complain about it.
  happyDOM.settings.handleDisabledFileLoadingAsSuccess = true;
  HTMLElement.prototype.scrollTo = function scrollTo(this: HTMLElement, to?: ScrollToOptions | number) {
    if (typeof to !== "object") return;
    this.scrollTop = to.top ?? this.scrollTop;
    setTimeout(() => this.dispatchEvent(new Event("scroll")));
  };
  HTMLElement.prototype.scrollIntoView = () => {};
}

/** Starts the whole page on a fake main process, at a place. */
export async function open(place: Place | null, prepare: (api: FakeApi) => void = () => {}): Promise<FakeApi> {
  pretendLayout();
  const api = makeFakeApi();
  window.api = api;
  prepare(api);
  if (place) useNav.setState({ place });
  const box = document.createElement("div");
  document.body.append(box);
  root = createRoot(box);
  root.render(<App />);
  // The first visit fetches the screen's own module, which takes its time on a busy machine.
  await waitFor(() => find("heading"), 15_000);
  return api;
}

/** Takes everything down, so that the next test starts from nothing. */
export async function close(): Promise<void> {
  root?.unmount();
  root = undefined;
  document.body.replaceChildren();
  Reflect.deleteProperty(window, "api");
  // Snapshots of the initial state: every store forgets what the last test selected.
  for (const store of stores)
    (store as { setState: (state: unknown, replace: true) => void; getInitialState: () => unknown }).setState(
      (store as { getInitialState: () => unknown }).getInitialState(),
      true,
    );
  await i18next.changeLanguage("en");
}

const ROLES: Record<string, string> = {
  button: "button,[role=button]",
  heading: "h1,h2,h3",
  checkbox: "input[type=checkbox]",
  radio: "input[type=radio]",
  textbox: "input:not([type=checkbox]):not([type=radio]),textarea",
  combobox: "[role=combobox]",
  option: "[role=option]",
  tab: "[role=tab]",
  dialog: "[role=dialog]",
  alert: "[role=alert]",
  status: "[role=status]",
  region: "section[aria-label],section[aria-labelledby]",
  list: "ul[aria-label],ol[aria-label]",
  navigation: "nav",
  frame: "iframe",
  row: "[data-row]",
  group: "fieldset[aria-label]",
  article: "article",
};

/** The accessible name, as far as these screens need the rules. */
export function nameOf(element: Element): string {
  const label = element.getAttribute("aria-label");
  if (label) return label;
  const labelledBy = element.getAttribute("aria-labelledby");
  if (labelledBy)
    return labelledBy
      .split(" ")
      .map((id) => document.getElementById(id)?.textContent ?? "")
      .join(" ")
      .trim();
  if (element.id && element.matches("input,textarea")) {
    const own = document.querySelector(`label[for="${element.id}"]`);
    if (own) return clean(own.textContent);
  }
  if (element.matches("input,textarea")) return clean(element.closest("label")?.textContent ?? "");
  return clean(element.textContent) || (element.getAttribute("title") ?? "");
}

const clean = (text: string | null): string => (text ?? "").replaceAll(/\s+/g, " ").trim();

export function findAll(role: string, name?: string | RegExp, within: ParentNode = document): HTMLElement[] {
  const matches = (element: Element) =>
    name === undefined || (typeof name === "string" ? nameOf(element) === name : name.test(nameOf(element)));
  return [...within.querySelectorAll<HTMLElement>(ROLES[role] ?? role)].filter(matches);
}

export const find = (role: string, name?: string | RegExp, within: ParentNode = document): HTMLElement | undefined =>
  findAll(role, name, within)[0];

/** The one element with this role and name. @throws when there is none. */
export function get(role: string, name?: string | RegExp, within: ParentNode = document): HTMLElement {
  const found = find(role, name, within);
  if (!found) throw new Error(`no ${role} named ${String(name)}; there are: ${findAll(role).map(nameOf).join(" | ")}`);
  return found;
}

export const getAsync = (role: string, name?: string | RegExp): Promise<HTMLElement> => waitFor(() => get(role, name));

/** Waits until the question has a truthy answer. */
export async function waitFor<T>(question: () => T | null | undefined | false, ms = 3000): Promise<T> {
  const until = performance.now() + ms;
  let last: unknown;
  for (;;) {
    try {
      const answer = question();
      if (answer) return answer;
      last = undefined;
    } catch (error) {
      last = error;
    }
    if (performance.now() > until) throw last ?? new Error(`waited in vain for ${question.toString()}`);
    await rest(10);
  }
}

export const rest = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const SCROLL_STEPS = 20;

/** Scrolls a list from its first row to its last. @returns the most rows that there were at once. */
export async function mostRowsWhileScrolling(box: HTMLElement): Promise<number> {
  let most = 0;
  for (let step = 0; step <= SCROLL_STEPS; step += 1) {
    box.scrollTop = ((box.scrollHeight - box.clientHeight) * step) / SCROLL_STEPS;
    box.dispatchEvent(new Event("scroll"));
    await new Promise(requestAnimationFrame);
    most = Math.max(most, box.querySelectorAll("tr,li").length);
  }
  return most;
}

export function type(field: HTMLElement, text: string): void {
  const prototype = field instanceof HTMLTextAreaElement ? HTMLTextAreaElement.prototype : HTMLInputElement.prototype;
  Object.getOwnPropertyDescriptor(prototype, "value")?.set?.call(field, text);
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

export function press(key: string, options: KeyboardEventInit & { on?: Element; keyCode?: number } = {}): void {
  const { on = document.activeElement ?? document.body, ...init } = options;
  on.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...init }));
}

export const textOf = (element: Element | null | undefined): string => clean(element?.textContent ?? "");
export const isDisabled = (element: HTMLElement): boolean => (element as HTMLButtonElement).disabled;
