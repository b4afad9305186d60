import { createHash } from "node:crypto";
import { z } from "zod";
import { type Answer, refuse } from "./exchange";
import {
  type Membership,
  type MembershipVersion,
  memberStatuses,
  membershipAt,
  nextMessageId,
  voucherStatuses,
} from "./services-state";
import type { Store } from "./store";

const name = z.string().min(1).max(2000);
const revision = z.int().nullable().default(null);

export const memberStatusSchema = z.object({ key: name, status: z.enum(memberStatuses), expectedRevision: revision });
export const voucherStatusSchema = z.object({
  key: name,
  status: z.enum(voucherStatuses).exclude(["redeemed"]),
  expectedRevision: revision,
});
export const messageSchema = z.object({ key: name, memberId: name, text: name });

/** A write to the services, checked. */
export type ServicesCommand =
  | { on: "member.status"; memberId: string; input: z.infer<typeof memberStatusSchema> }
  | { on: "voucher.status"; memberId: string; input: z.infer<typeof voucherStatusSchema> }
  | { on: "message.send"; input: z.infer<typeof messageSchema> };

export type Show = (member: Membership, version: MembershipVersion) => Record<string, unknown>;

export const findMember = (store: Store, id: string): Membership | undefined =>
  store.state.services.members.find((member) => member.id === id);

/** Its revision is the number of writes it took: another writer's is seen by it. */
export const showMember: Show = (member, version) => ({
  id: member.id,
  status: version.status,
  revision: version.statusKeys.length + 1,
  appliedKeys: version.statusKeys,
});

export const showVouchers: Show = (member, version) => ({
  id: member.id,
  status: version.vouchers.some((voucher) => voucher.status === "frozen") ? "frozen" : "usable",
  vouchers: version.vouchers,
  revision: version.voucherKeys.length + 1,
  appliedKeys: version.voucherKeys,
});

/** Carries a write out: its record is on disk when this returns. States to reach, so asking again is harmless. */
export function executeServices(store: Store, command: ServicesCommand, at: number): Answer {
  if (command.on === "message.send") return sendMessage(store, command.input, at);
  const member = findMember(store, command.memberId);
  if (member === undefined) return refuse(404, "not_found");
  const before = membershipAt(member, Number.MAX_SAFE_INTEGER);
  const isStatus = command.on === "member.status";
  const show = isStatus ? showMember : showVouchers;
  const { key, expectedRevision } = command.input;
  const keys = isStatus ? before.statusKeys : before.voucherKeys;
  if (keys.includes(key)) return { status: 200, body: show(member, before) };
  if (expectedRevision !== null && expectedRevision !== keys.length + 1)
    return refuse(412, "revision_mismatch", { object: show(member, before) });
  const version: MembershipVersion = isStatus
    ? { ...before, at, status: command.input.status, statusKeys: [...keys, key] }
    : { ...before, at, vouchers: brought(before.vouchers, command.input.status), voucherKeys: [...keys, key] };
  store.append({ type: "member-changed", id: member.id, version });
  return { status: 200, body: show(member, version) };
}

/** Every voucher that is not used up comes to the state, however many there are. */
const brought = (vouchers: MembershipVersion["vouchers"], status: "usable" | "frozen") =>
  vouchers.map((voucher) => (voucher.status === "redeemed" ? voucher : { ...voucher, status }));

/** As gateways do: every request is a message, and nobody can ask afterwards what became of it. */
function sendMessage(store: Store, input: z.infer<typeof messageSchema>, at: number): Answer {
  const id = nextMessageId(store.state.services);
  const { key, memberId, text } = input;
  const textHash = createHash("sha256").update(text, "utf8").digest("hex");
  store.append({ type: "message-sent", message: { id, key, memberId, textHash, at } });
  return { status: 202, body: { id, key, memberId, status: "accepted" } };
}
