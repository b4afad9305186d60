import type { RemoteRecords, RemoteThing } from "../domain/invariants";
import type { RemoteCore } from "./remote-core";

/**
 * What the remotes hold, as the checker is given it.
 * @param isShown leaves out objects that are not to be judged
 */
export function recordsOf(
  core: RemoteCore,
  isShown: (system: RemoteThing["system"], id: string) => boolean = () => true,
): RemoteRecords {
  const posts = core.posts.filter(({ id }) => isShown("cms", id));
  const campaigns = core.campaigns.filter(({ id }) => isShown("mail", id));
  return {
    objects: [
      ...posts.map(({ id: remoteId, key, slug: place, versions }) => {
        const now = versions.at(-1);
        const isUp = now?.status === "published";
        return { system: "cms" as const, remoteId, key, place, isUp, contentHash: now?.contentHash ?? null };
      }),
      ...campaigns.map(({ id: remoteId, key, name: place, bodyHash: contentHash }) => ({
        ...{ system: "mail" as const, remoteId, key, place, isUp: true, contentHash },
      })),
    ],
    // A remote whose object is left out has mailed all the same.
    mailings: core.campaigns.flatMap(({ name: place, recipients, triggers }) =>
      triggers.flatMap(({ key }) => recipients.map((recipientId) => ({ key, place, recipientId }))),
    ),
  };
}
