/** The few words the page and the mail add to the content. */
export interface Wording {
  source: string;
  licence: string;
  links: string;
  readOnline: string;
  fullEdition: string;
}

const ENGLISH: Wording = {
  source: "Source",
  licence: "Licence",
  links: "Links in this edition",
  readOnline: "Read this edition on the web",
  fullEdition: "With every quote and source:",
};

const CHINESE: Wording = {
  source: "来源",
  licence: "许可",
  links: "本期链接",
  readOnline: "在网页上阅读本期",
  fullEdition: "附全部原文引语与来源：",
};

/** Words for a language tag: Chinese for any `zh`, else English. */
export function wordingFor(language: string): Wording {
  return isChinese(language) ? CHINESE : ENGLISH;
}

export function isChinese(language: string): boolean {
  return /^zh(-|$)/i.test(language);
}
