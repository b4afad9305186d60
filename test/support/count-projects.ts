import type { Reporter, TestModule } from "vitest/node";
import { CHROMIUM_PLACES, findChromium } from "./chromium.ts";

/** Tells last how many tests passed in which project, and what showed the renderer's screens. */
export default class CountProjects implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const counts = new Map<string, number>();
    for (const module of modules) {
      const name = module.project.name.split(" ")[0] ?? "";
      const passed = [...module.children.allTests("passed")].length;
      counts.set(name, (counts.get(name) ?? 0) + passed);
    }
    const told = [...counts].map(([name, passed]) => `${passed} in ${name}`).join(", ");
    const chromium = findChromium();
    const screens = chromium
      ? `screens were shown in ${chromium}`
      : `there is no Chromium here (${CHROMIUM_PLACES}): screens were shown in happy-dom`;
    process.stdout.write(`passed: ${told}; ${screens}\n`);
  }
}
