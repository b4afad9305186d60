/**
 * Licences that let anybody pass an unchanged copy on, for any purpose, as long as the source is named. What is free for some
 * purposes only, or lets parts be quoted, is not on the list: then the hash goes along and the bytes stay.
 */
const OPEN = [
  /^cc0\b/i,
  /^cc[ -]by([ -](sa|nd))?([ -]\d(\.\d)?)?( [a-z]{2,10})?$/i,
  /^public domain\b/i,
  /^(mit|isc|bsd-[23]-clause|apache-2\.0)$/i,
  /^(open government licence|ogl)\b/i,
  /^(odc-by|odbl|pddl)\b/i,
  /^open licence with attribution\b/i,
];

/** Whether the bytes of a source may go into a bundle. An unknown licence is none. */
export const mayPassOn = (licence: string): boolean => OPEN.some((pattern) => pattern.test(licence.trim()));
