import "../../../renderer/styles";
import { createRoot } from "react-dom/client";
import { App } from "../../../renderer/App";
import "../../../renderer/i18n";
import { useNav } from "../../../renderer/stores/nav";
import { makeFakeApi } from "../fake-api";
import { boot } from "../fixtures/common";
import { longScenes, scenes } from "./scenes";

/** Shows one screen with fixtures: `?scene=run-unknown&lang=zh-CN&theme=dark`. For looking at, never shipped. */
const query = new URLSearchParams(window.location.search);
const language = query.get("lang") === "zh-CN" ? "zh-CN" : "en";
const theme = query.get("theme") === "dark" ? "dark" : "light";
const scene = { ...scenes, ...longScenes }[query.get("scene") ?? "today"];
const api = makeFakeApi();
api.answer("app.bootstrap", () => ({ ...boot, preferences: { language, theme } }));
window.api = api;
scene?.prepare?.(api, { language, theme });
if (scene?.place) useNav.setState({ place: scene.place });
createRoot(document.getElementById("root") as HTMLElement).render(<App />);
