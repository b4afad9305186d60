/** The language editions are written in; the screens have a language of their own. */
export const LANGUAGE = "zh-CN";
