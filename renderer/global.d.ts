import type { Api } from "../preload/contract";
import type { en } from "./locales/en";

declare global {
  interface Window {
    /** Put here by the preload; touched by `bridge.ts` alone. */
    api: Api;
  }
}

declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "translation";
    resources: { translation: typeof en };
  }
}
