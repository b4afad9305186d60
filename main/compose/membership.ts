import { joinUrl } from "../adapters/sandbox-protocol";
import { buildServiceState, SandboxMembership } from "../adapters/services/membership";
import { buildMessage, SandboxMessages } from "../adapters/services/messages";
import type { BlobStore, Clock, CrashPoints, WriteAdapter } from "../domain/ports";
import type { PipelineRuntime } from "../engine/runtime";
import type { MembershipPorts } from "../pipeline/membership-cancellation/ports";
import { membershipRuntime } from "../pipeline/membership-cancellation/runtime";

/** The second pipeline on the sandbox's services: its runtime for the engine, and the adapters it writes through. */
export function membershipSide(
  outside: { clock: Clock; crash: CrashPoints; remoteUrl: string; token: string },
  blobs: BlobStore,
): { runtime: PipelineRuntime; adapters: readonly { name: string; adapter: WriteAdapter }[] } {
  const { clock, crash, remoteUrl, token } = outside;
  const memberUrl = (memberId: string, part: string) =>
    joinUrl(remoteUrl, `/services/members/${encodeURIComponent(memberId)}/${part}`);
  const members: MembershipPorts["members"] = {
    name: "membership-sandbox",
    adapter: new SandboxMembership({ token }),
    statusUrl: (memberId) => memberUrl(memberId, "status"),
    vouchersUrl: (memberId) => memberUrl(memberId, "vouchers"),
    request: buildServiceState,
  };
  const messages: MembershipPorts["messages"] = {
    name: "messages-sandbox",
    adapter: new SandboxMessages({ token }),
    url: joinUrl(remoteUrl, "/services/messages"),
    request: buildMessage,
  };
  return { runtime: membershipRuntime({ clock, blobs, crash, members, messages }), adapters: [members, messages] };
}
