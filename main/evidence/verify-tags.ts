import { createHash } from "node:crypto";
import { BAG, TAG_FILES, UNLISTED_FILES } from "./bag-layout";
import { readManifest } from "./manifest";
import type { VerifyRun } from "./verify-run";
import type { ZipEntry } from "./zip-directory";

/** Every tag file but the two that cannot be is listed in the tag manifest, and has the digest it is listed with. */
export function verifyTags(run: VerifyRun, texts: ReadonlyMap<string, Buffer>): boolean {
  const listed = readManifest(texts.get(BAG.tagManifest)?.toString("utf8") ?? "");
  if ("fault" in listed) return run.answer("tag_files", false, `${BAG.tagManifest}: ${listed.fault}`);
  const faults = TAG_FILES.flatMap((name) => {
    const digest = listed.digests.get(name);
    if (digest === undefined) return [`${name} is not listed`];
    const found = createHash("sha256")
      .update(texts.get(name) ?? "")
      .digest("hex");
    return digest === found ? [] : [`${name} was changed`];
  });
  for (const name of listed.digests.keys())
    if (!TAG_FILES.includes(name)) faults.push(`${name} is listed and is no tag file`);
  return run.judge("tag_files", faults, `${TAG_FILES.length} unchanged`);
}

/** A list of digests alone does not notice what was added. */
export function verifyFileList(
  run: VerifyRun,
  files: ReadonlyMap<string, ZipEntry>,
  listed: ReadonlyMap<string, string>,
): void {
  const tags = [...TAG_FILES, BAG.tagManifest, ...UNLISTED_FILES];
  const added = [...files.keys()].filter((name) => !listed.has(name) && !tags.includes(name));
  const missing = [...listed.keys()].filter((name) => !files.has(name));
  const outside = [...listed.keys()].filter((name) => !name.startsWith("data/"));
  const faults = [
    ...missing.map((name) => `${name} is missing`),
    ...added.map((name) => `${name} is not listed: it was added or renamed`),
    ...outside.map((name) => `${name} is listed and is not in data/`),
  ];
  run.judge("file_list", faults, `${listed.size} payload files, none more, none less`);
}
