/** A shop's member and vouchers, and its gateway for short messages: what a second pipeline writes to. */

export const memberStatuses = ["active", "cancelling", "cancelled"] as const;
export const voucherStatuses = ["usable", "frozen", "redeemed"] as const;
export type MemberStatus = (typeof memberStatuses)[number];
export type VoucherStatus = (typeof voucherStatuses)[number];

export interface Voucher {
  id: string;
  status: VoucherStatus;
}

/** One state a member and the vouchers were in. Older ones stay, so that queries can lag. */
export interface MembershipVersion {
  at: number;
  status: MemberStatus;
  vouchers: readonly Voucher[];
  /** Keys of the writes that were applied to the status, and to the vouchers. */
  statusKeys: readonly string[];
  voucherKeys: readonly string[];
}

export interface Membership {
  id: string;
  versions: MembershipVersion[];
}

export interface Message {
  id: number;
  key: string;
  memberId: string;
  /** Digested on arrival: nothing is really sent, so nothing here needs to know it. */
  textHash: string;
  at: number;
}

export interface ServicesState {
  members: Membership[];
  messages: Message[];
}

export type ServicesRecord =
  | { type: "member-changed"; id: string; version: MembershipVersion }
  | { type: "message-sent"; message: Message };

/** Who is there at the start. The first message's id follows no other, so that it is not taken for a post. */
const FIRST_MEMBER: Membership = {
  id: "U-88",
  versions: [
    {
      at: 0,
      status: "active",
      vouchers: ["V-1", "V-2", "V-3"].map((id) => ({ id, status: "usable" })),
      statusKeys: [],
      voucherKeys: [],
    },
  ],
};
const FIRST_MESSAGE_ID = 5_001;

export const emptyServices = (): ServicesState => ({ members: [structuredClone(FIRST_MEMBER)], messages: [] });

export const nextMessageId = (state: ServicesState): number =>
  Math.max(FIRST_MESSAGE_ID, ...state.messages.map((message) => message.id + 1));

/** Folds one record about the services; @returns false where it is about something else. */
export function applyServicesRecord(state: ServicesState, record: ServicesRecord): void {
  if (record.type === "message-sent") {
    state.messages.push(record.message);
    return;
  }
  const member = state.members.find((candidate) => candidate.id === record.id);
  if (member === undefined) throw new Error(`record about a member that does not exist: ${record.id}`);
  member.versions.push(record.version);
}

/** The newest version that was there at `until`; the first of all where that is earlier. */
export function membershipAt(member: Membership, until: number): MembershipVersion {
  const found = member.versions.filter((version) => version.at <= until).at(-1) ?? member.versions[0];
  if (found === undefined) throw new Error(`member ${member.id} has no version`);
  return found;
}
