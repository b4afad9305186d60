import { MantineProvider } from "@mantine/core";
import { lazy, Suspense, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { CommandMenu } from "./components/CommandMenu";
import { DiscardDialog } from "./components/DiscardDialog";
import { LedgerNotice } from "./components/LedgerNotice";
import { LinkNotice } from "./components/LinkNotice";
import { LiveRegion } from "./components/LiveRegion";
import { OutcomeNotice } from "./components/Notices";
import { ScreenFault } from "./components/ScreenFault";
import { Shortcuts } from "./components/Shortcuts";
import { useShellKeys } from "./components/shell-keys";
import { TopBar } from "./components/TopBar";
import { TouchKey } from "./components/TouchKey";
import { ProblemPage } from "./screens/problem";
import { Today } from "./screens/today";
import { useApp } from "./stores/app";
import { useClock } from "./stores/clock";
import { useCommands } from "./stores/commands";
import { useNav } from "./stores/nav";
import { followPushes, refreshShown } from "./stores/refresh";
import { pointColours, theme } from "./theme";

// Today is there at once; the other screens are fetched from disk when they are first opened.
const ContentReview = lazy(() =>
  import("./screens/content-review").then((module) => ({ default: module.ContentReview })),
);
const DraftEditor = lazy(() => import("./screens/draft-editor").then((module) => ({ default: module.DraftEditor })));
const SendReview = lazy(() => import("./screens/send-review").then((module) => ({ default: module.SendReview })));
const Compensation = lazy(() => import("./screens/compensation").then((module) => ({ default: module.Compensation })));
const Alerts = lazy(() => import("./screens/alerts").then((module) => ({ default: module.Alerts })));
const Recovery = lazy(() => import("./screens/recovery").then((module) => ({ default: module.Recovery })));
const RecoveryItem = lazy(() => import("./screens/recovery-item").then((module) => ({ default: module.RecoveryItem })));
const Incidents = lazy(() => import("./screens/incidents").then((module) => ({ default: module.Incidents })));
const Incident = lazy(() => import("./screens/incident").then((module) => ({ default: module.Incident })));
const Health = lazy(() => import("./screens/health").then((module) => ({ default: module.Health })));
const Settings = lazy(() => import("./screens/settings").then((module) => ({ default: module.Settings })));
const Ledger = lazy(() => import("./screens/ledger").then((module) => ({ default: module.Ledger })));
const Run = lazy(() => import("./screens/run").then((module) => ({ default: module.Run })));
const Drills = lazy(() => import("./screens/drills").then((module) => ({ default: module.Drills })));
const Audit = lazy(() => import("./screens/audit").then((module) => ({ default: module.Audit })));
const Sandbox = lazy(() => import("./screens/sandbox").then((module) => ({ default: module.Sandbox })));
const FirstRun = lazy(() => import("./screens/first-run").then((module) => ({ default: module.FirstRun })));

/** The whole window: theme and language, then the problem page, the first run or the screens, by what the start-up answer says. */
export function App() {
  const scheme = useScheme();
  useEffect(() => {
    void useApp.getState().start();
    const stop = followPushes();
    const ticker = setInterval(() => useClock.getState().tick(), 1000);
    return () => {
      stop();
      clearInterval(ticker);
    };
  }, []);
  return (
    <MantineProvider theme={theme} cssVariablesResolver={pointColours} forceColorScheme={scheme}>
      <ScreenFault>
        <Suspense fallback={null}>
          <Window />
        </Suspense>
      </ScreenFault>
    </MantineProvider>
  );
}

function Window() {
  // Everything below shows words: a change of language renders all of it anew.
  useTranslation();
  const boot = useApp((state) => state.boot);
  const problem = useApp((state) => state.problem);
  if (boot?.problem) return <ProblemPage problem={boot.problem} />;
  if (boot === null)
    return problem ? (
      <ProblemPage problem={{ code: "bridge", path: null, detail: `${problem.channel}: ${problem.detail}` }} />
    ) : null;
  if (boot.workspace === null) return <FirstRun />;
  return <Frame />;
}

function Frame() {
  const { t } = useTranslation();
  useShellKeys();
  return (
    <div className="shell">
      <button type="button" className="skip" onClick={() => document.querySelector<HTMLElement>("h1")?.focus()}>
        {t("nav.skip")}
      </button>
      <TopBar />
      <main className="scroll" id="content">
        <ScreenFault>
          <Screens />
        </ScreenFault>
      </main>
      <LiveRegion />
      <CommandMenu />
      <Shortcuts />
      <DiscardDialog />
      <TouchKey />
    </div>
  );
}

function Screens() {
  const place = useNav((state) => state.place);
  const count = useCommands((state) => state.count);
  useEffect(() => {
    // A notice belongs to the screen where the command was given.
    if (place) useCommands.getState().dismiss();
  }, [place]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another place, and every command that has ended, are reasons to ask again
  useEffect(() => {
    void refreshShown();
  }, [place, count]);
  return (
    <div className="screen">
      <LedgerNotice />
      <OutcomeNotice />
      <LinkNotice />
      <Suspense fallback={<p className="muted">…</p>}>
        {place.screen === "today" ? <Today /> : null}
        {place.screen === "sandbox" ? <Sandbox /> : null}
        {place.screen === "drills" ? <Drills /> : null}
        {place.screen === "health" ? <Health /> : null}
        {place.screen === "settings" ? <Settings /> : null}
        {place.screen === "ledger" ? <Ledger compare={place.compare ?? null} /> : null}
        {place.screen === "audit" ? <Audit /> : null}
        {place.screen === "alerts" ? <Alerts alertId={place.alertId ?? null} /> : null}
        {place.screen === "recovery" ? <RecoveryPlace itemId={place.itemId ?? null} /> : null}
        {place.screen === "incidents" ? <IncidentPlace incidentId={place.incidentId ?? null} /> : null}
        {place.screen === "content" ? <ContentReview taskId={place.taskId} /> : null}
        {place.screen === "draft" ? <DraftEditor key={place.taskId} taskId={place.taskId} /> : null}
        {place.screen === "send" ? <SendReview taskId={place.taskId} /> : null}
        {place.screen === "compensation" ? <Compensation taskId={place.taskId} /> : null}
        {place.screen === "run" ? <Run taskId={place.taskId} /> : null}
      </Suspense>
    </div>
  );
}

/** The board, or the one item that was opened on it. */
function RecoveryPlace({ itemId }: { itemId: string | null }) {
  return itemId === null ? <Recovery /> : <RecoveryItem key={itemId} itemId={itemId} />;
}

/** Every incident, or the one that is worked on. */
function IncidentPlace({ incidentId }: { incidentId: string | null }) {
  return incidentId === null ? <Incidents /> : <Incident key={incidentId} incidentId={incidentId} />;
}

/** The chosen theme; “system” follows the system while the window is open. */
function useScheme(): "light" | "dark" {
  const chosen = useApp((state) => state.boot?.preferences.theme ?? "system");
  const [dark, setDark] = useState(() => window.matchMedia("(prefers-color-scheme: dark)").matches);
  useEffect(() => {
    const query = window.matchMedia("(prefers-color-scheme: dark)");
    const follow = () => setDark(query.matches);
    query.addEventListener("change", follow);
    return () => query.removeEventListener("change", follow);
  }, []);
  return chosen === "system" ? (dark ? "dark" : "light") : chosen;
}
