import { defineConfig } from "vite";

// A sandboxed preload can require nothing but electron: exactly one file, and no zod in it.
export default defineConfig({
  ssr: { noExternal: true, external: ["electron"] },
  build: {
    ssr: "preload/index.ts",
    target: "chrome114",
    outDir: "out/preload",
    // Inline: a sandboxed preload has no way to load a second file.
    sourcemap: "inline",
    minify: false,
    rolldownOptions: {
      external: ["electron"],
      output: { format: "cjs", entryFileNames: "[name].cjs", codeSplitting: false },
    },
  },
});
