import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

// Sent as a header by the app:// scheme, too. Here as well, so that a page opened by any other way is as strict.
// frame-src: draft and snapshot previews are frames from another host of the same scheme.
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "frame-src app:",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

export default defineConfig({
  root: "renderer",
  base: "./",
  plugins: [
    react(),
    {
      name: "content-security-policy",
      transformIndexHtml: () => [
        {
          tag: "meta",
          attrs: { "http-equiv": "Content-Security-Policy", content: POLICY },
          injectTo: "head-prepend",
        },
      ],
    },
  ],
  define: { __TEST_BUILD__: JSON.stringify(process.env.IMPRIMATUR_TEST_BUILD === "1") },
  build: {
    // The oldest Chromium that we run on: that of the fallback Electron.
    target: "chrome114",
    cssTarget: "chrome114",
    outDir: "../out/renderer",
    sourcemap: true,
    modulePreload: { polyfill: false },
    // Loaded from disk, not over a network: the warning's limit means nothing here.
    chunkSizeWarningLimit: 3000,
  },
});
