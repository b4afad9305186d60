import { registerSigner } from "../commands/register-signer";
import { newSigner, placeOf, publicPart } from "./approval-signer";
import type { BackendOptions } from "./backend-options";
import { editorName } from "./editor-name";
import type { EvidenceWorkspace } from "./evidence-desk";
import { identityIn } from "./evidence-key";
import type { OpenSandbox } from "./open-sandbox";

/** The open workspace as bundles and keys see it. A key that is registered signs from then on, in the person's name. */
export function evidenceWorkspaceOf(
  { sandbox: { workspace }, check }: { sandbox: OpenSandbox; check: EvidenceWorkspace["check"] },
  evidenceKey: BackendOptions["evidenceKey"],
): EvidenceWorkspace {
  const place = placeOf(workspace);
  const registered = () => workspace.journal.reader.signers();
  return {
    ...{ ...place, check, registered },
    registerKey: (agentKey, reason) => {
      const signer =
        agentKey === null
          ? newSigner(evidenceKey, place, registered())
          : { identity: identityIn(place.id), publicKey: agentKey };
      if (signer === null) return false;
      return registerSigner(workspace.desk(editorName()), { ...publicPart(signer), reason }).result === "applied";
    },
  };
}
