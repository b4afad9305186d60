/**
 * The keys of the English texts with any wording: a language that lacks one does not compile. Chinese has one plural form,
 * so the `_one` keys are left out; i18next only ever asks it for `_other`.
 */
export type Words<T> = {
  [Key in keyof T as Key extends `${string}_one` ? never : Key]: T[Key] extends string ? string : Words<T[Key]>;
};
