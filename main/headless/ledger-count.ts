import { join } from "node:path";
import { openReader } from "../../db/connect";
import { loadJournal } from "../../db/load-journal";
import type { SandboxControl, SandboxRecords } from "../adapters/sandbox-control";
import type { RemoteRecords } from "../domain/invariants";
import { computeLedger, type Ledger } from "../domain/ledger";

/** Counts the ledger of a workspace from its journal's rows and from what the remotes themselves have. */
export async function countLedger(dir: string, control: SandboxControl): Promise<Ledger> {
  const records = await control.records();
  if (records === null) throw new Error(`${control.url} keeps no records that could be asked for`);
  const reader = openReader(join(dir, "journal.db"));
  try {
    return computeLedger(loadJournal(reader), remoteRecords(records));
  } finally {
    reader.close();
  }
}

function remoteRecords({ cms, mail }: SandboxRecords): RemoteRecords {
  const names = new Map(mail.campaigns.map((campaign) => [campaign.id, campaign.name]));
  return {
    objects: [
      ...cms.objects.map(({ id, key, slug, status, contentHash }) => ({
        ...{ system: "cms" as const, remoteId: id, key, place: slug },
        ...{ isUp: status === "published", contentHash },
      })),
      ...mail.campaigns.map(({ id, key, name }) => ({
        ...{ system: "mail" as const, remoteId: id, key, place: name, isUp: true, contentHash: null },
      })),
    ],
    mailings: mail.mailings.map(({ campaignId, recipientId }) => ({
      ...{ key: null, place: names.get(campaignId) ?? campaignId, recipientId },
    })),
  };
}
