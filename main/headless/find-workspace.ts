import { closeSync, openSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { JOURNAL_NAME } from "../../db/open";

/**
 * The workspace that a command was told, as an absolute path; or why there is none, in words for whoever typed it. A folder
 * that may not be read is not called one without a journal.
 */
export function findWorkspace(named: string): { dir: string } | { wrong: string } {
  const dir = resolve(named);
  const journal = join(dir, JOURNAL_NAME);
  try {
    if (!statSync(dir).isDirectory()) return { wrong: `${dir} is a file: name the workspace's folder` };
    // A folder in its place is a damaged workspace: opening it says so, and what to do.
    if (statSync(journal).isFile()) closeSync(openSync(journal, "r"));
    return { dir };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (code === "EACCES" || code === "EPERM")
      return {
        wrong: `${journal} may not be read by this user: run this as its owner, or ask for the right to read it`,
      };
    if (code !== "ENOENT" && code !== "ENOTDIR") throw error;
    const isThere = statSync(dir, { throwIfNoEntry: false }) !== undefined;
    return { wrong: isThere ? `${dir} has no ${JOURNAL_NAME}: this is no workspace` : `there is no folder ${dir}` };
  }
}

/** The arguments of a command that takes a workspace and `--json`, and nothing else. */
export function readWorkspaceArguments(
  command: string,
  args: readonly string[],
): { dir: string; json: boolean } | { help: true } | { wrong: string } {
  try {
    const options = { json: { type: "boolean" }, help: { type: "boolean" } } as const;
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    if (values.help) return { help: true };
    const [workspace, ...more] = positionals;
    if (workspace === undefined || more.length > 0)
      return { wrong: `name one workspace's folder: ${command} WORKSPACE [--json]` };
    const found = findWorkspace(workspace);
    return "wrong" in found ? found : { ...found, json: values.json === true };
  } catch (error) {
    if (error instanceof TypeError) return { wrong: `${error.message}; see ${command} --help` };
    throw error;
  }
}
