import { approvedPackage } from "../../db/queries/approved-package";
import { previousEdition } from "../../db/queries/previous-edition";
import {
  buildCmsCreate,
  buildCmsStatus,
  buildCmsUpdate,
  SandboxCms,
  slugOfSlot,
} from "../../main/adapters/cms/sandbox";
import { buildMailCancel, buildMailCreate, buildMailTrigger, SandboxMail } from "../../main/adapters/mail/sandbox";
import type { BriefingPorts } from "../../main/pipeline/briefing/ports";
import { parser, SAMPLE_SOURCES } from "./sample-sources";
import type { World } from "./world";

const SITE = "https://site.example";
const MAIL = "https://mail.example";

/** Says at once when a test reaches for a part of the outside that its story does not have. */
function absent(name: string): never {
  return new Proxy(
    {},
    {
      get: () => {
        throw new Error(`this test has no ${name}`);
      },
    },
  ) as never;
}

/** What the briefing needs from outside, on the world's journal and blobs. Nothing here reaches a network. */
export function briefingPorts(world: World): BriefingPorts {
  const access = { token: "sandbox" };
  return {
    blobs: world.blobs,
    customers: {
      members: () => world.members,
      importVersion: () => world.importVersion,
      addressesFor: (ids) => new Map(ids.map((id) => [id, `${id}@example.org`])),
      keepRequest: () => null,
      keptRequest: () => null,
    },
    clock: absent("clock"),
    crash: { reach: () => undefined },
    random: absent("randomness"),
    breaker: absent("breaker"),
    sources: async () => SAMPLE_SOURCES.map((source) => source.config),
    reader: absent("source reader"),
    readErrors: absent("error table"),
    parser,
    drafter: absent("drafter"),
    links: absent("link checker"),
    probe: absent("probe"),
    cms: {
      adapter: new SandboxCms(access),
      name: "cms-sandbox",
      target: SITE,
      requests: {
        create: buildCmsCreate,
        update: buildCmsUpdate,
        status: buildCmsStatus,
        slugOf: slugOfSlot,
        plannedUrl: (slug) => `${SITE}/site/${slug}`,
      },
    },
    mail: {
      adapter: new SandboxMail(access),
      name: "mail-sandbox",
      target: MAIL,
      requests: { create: buildMailCreate, trigger: buildMailTrigger, cancel: buildMailCancel },
    },
    wantedFacts: 9,
    suppressions: () =>
      world.database.sqlite
        .prepare<[], { recipientId: string; reason: string }>(
          "SELECT recipient_id AS recipientId, reason FROM suppression",
        )
        .all(),
    previous: (task) => previousEdition(world.database.sqlite, task),
    approvedPackage: (taskKey, contentHash) => approvedPackage(world.database.sqlite, taskKey, contentHash),
    receiptsSoFar: () => 0,
  };
}
