import { defineConfig } from "vite";

// A sandboxed preload can require nothing but electron: exactly one file, and no zod in it.
export default defineConfig({
  ssr: { noExternal: true, external: ["electron"] },
  plugins: [
    {
      // `import type` leaves nothing behind, a forgotten `type` would bring all of zod along.
      name: "preload-stays-small",
      generateBundle(_options, bundle) {
        const foreign = Object.values(bundle)
          .flatMap((file) => (file.type === "chunk" ? Object.keys(file.modules) : []))
          .filter((id) => id.includes("node_modules") || id.endsWith("preload/contract.ts"));
        if (foreign.length > 0)
          this.error(`the preload may not carry ${foreign[0]}: take types from ./contract with \`import type\``);
      },
    },
  ],
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
