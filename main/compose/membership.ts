import { joinUrl } from "../adapters/sandbox-protocol";
import { buildServiceState, SandboxMembership } from "../adapters/services/membership";
import { buildMessage, SandboxMessages } from "../adapters/services/messages";
import type { BlobStore, Clock, CrashPoints, WriteAdapter } from "../domain/ports";
import type { PipelineRuntime } from "../engine/runtime";
import type { ChainService } from "../pipeline/action-chain/ports";
import { MEMBERS, MESSAGES } from "../pipeline/membership-cancellation/chain";
import { membershipRuntime } from "../pipeline/membership-cancellation/runtime";

/** The sandbox's services as chains of actions write to them: a shop's members and vouchers, and a gateway for messages. */
export function sandboxServices(remoteUrl: string, token: string): { members: ChainService; messages: ChainService } {
  return {
    members: {
      name: MEMBERS,
      adapter: new SandboxMembership({ token }),
      urlOf: (place, memberId) => joinUrl(remoteUrl, `/services/members/${encodeURIComponent(memberId)}/${place}`),
      request: ({ operationKey, state, expectedRevision }) =>
        buildServiceState({ operationKey, status: state ?? "", expectedRevision }),
    },
    messages: {
      name: MESSAGES,
      adapter: new SandboxMessages({ token }),
      urlOf: () => joinUrl(remoteUrl, "/services/messages"),
      request: ({ operationKey, subject, text }) => buildMessage({ operationKey, memberId: subject, text: text ?? "" }),
    },
  };
}

/** The second pipeline on the sandbox's services: its runtime for the engine, and the adapters it writes through. */
export function membershipSide(
  outside: { clock: Clock; crash: CrashPoints; remoteUrl: string; token: string },
  blobs: BlobStore,
): { runtime: PipelineRuntime; adapters: readonly { name: string; adapter: WriteAdapter }[] } {
  const { clock, crash, remoteUrl, token } = outside;
  const { members, messages } = sandboxServices(remoteUrl, token);
  return { runtime: membershipRuntime({ clock, blobs, crash, members, messages }), adapters: [members, messages] };
}
