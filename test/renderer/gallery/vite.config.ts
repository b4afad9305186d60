import path from "node:path";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

// Only for looking at the screens with fixtures: `npx vite build -c test/renderer/gallery/vite.config.ts`, then shoot.mjs.
export default defineConfig({
  root: import.meta.dirname,
  base: "./",
  plugins: [react()],
  build: {
    target: "chrome114",
    cssTarget: "chrome114",
    outDir: path.resolve(import.meta.dirname, "../../../out/gallery"),
    emptyOutDir: true,
    chunkSizeWarningLimit: 3000,
  },
});
