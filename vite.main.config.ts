import { defineConfig } from "vite";

// The main process and the headless entry. One CommonJS file each: the fallback Electron cannot load an ESM main, and
// a single file starts fastest from inside the archive. scripts/build.mjs names the entry (build.ssr) and the folder.
export default defineConfig({
  define: {
    __TEST_BUILD__: JSON.stringify(process.env.IMPRIMATUR_TEST_BUILD === "1"),
    "process.env.NODE_ENV": JSON.stringify("production"),
  },
  ssr: { noExternal: true, external: ["electron", "better-sqlite3"], target: "node" },
  build: {
    ssr: "main/index.ts",
    target: "node18",
    outDir: "out/main",
    sourcemap: true,
    // Readable stack traces are worth more here than a smaller file.
    minify: false,
    rolldownOptions: {
      external: ["electron", "better-sqlite3"],
      output: { format: "cjs", entryFileNames: "[name].cjs", codeSplitting: false },
    },
  },
});
