/** What a name inside an archive may be, before anything of it is looked at (case L2). */

const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;
const MAX_NAME_BYTES = 1024;

/** What is wrong with one name, or null. A folder's ends in a slash. */
export function nameFault(name: string): string | null {
  if (name === "" || name === "/") return "is empty";
  if (Buffer.byteLength(name) > MAX_NAME_BYTES) return `is longer than ${MAX_NAME_BYTES} bytes`;
  if (/\p{Cc}|\p{Zl}|\p{Zp}/u.test(name)) return "holds a control character";
  if (name.includes("\\")) return "holds a backslash, which some systems take for a folder";
  if (name.startsWith("/") || /^[A-Za-z]:/.test(name)) return "is absolute";
  const parts = name.replace(/\/$/, "").split("/");
  if (parts.some((part) => part === ".." || part === "." || part === "")) return "leaves its folder or goes through it";
  if (parts.some((part) => /[. ]$/.test(part) || part.includes(":") || RESERVED.test(part)))
    return "is another file on Windows";
  return null;
}

/** Two names are one file on some systems if they are equal without case and in one normal form. */
const fileOf = (name: string): string => name.replace(/\/$/, "").normalize("NFC").toLowerCase();

/** Everything wrong with the names of an archive: each by itself, and those that would be one file. */
export function nameFaults(names: readonly string[]): string[] {
  const faults = names.flatMap((name) => {
    const fault = nameFault(name);
    return fault === null ? [] : [`${JSON.stringify(name.slice(0, 120))} ${fault}`];
  });
  const seen = new Map<string, string>();
  const folders = new Map<string, string>();
  for (const name of names) {
    const file = fileOf(name);
    const other = seen.get(file);
    if (other !== undefined)
      faults.push(
        other === name
          ? `${JSON.stringify(name)} is there twice`
          : `${JSON.stringify(other)} and ${JSON.stringify(name)} differ in case or accents only`,
      );
    seen.set(file, name);
    const parts = name.replace(/\/$/, "").split("/");
    for (let depth = 1; depth < parts.length; depth += 1) {
      const folder = parts.slice(0, depth).join("/");
      const known = folders.get(fileOf(folder));
      if (known !== undefined && known !== folder)
        faults.push(
          `the folders ${JSON.stringify(known)} and ${JSON.stringify(folder)} differ in case or accents only`,
        );
      folders.set(fileOf(folder), folder);
    }
  }
  for (const [file, name] of seen)
    if (folders.has(file) && !name.endsWith("/")) faults.push(`${JSON.stringify(name)} is a file and a folder`);
  return faults;
}
