import type { ServicesRecords } from "../adapters/sandbox-control";

/** The entry under which a person follows a message up. */
const MESSAGE_ENTRY = "follow_up_sms";

/**
 * What is not as it was before a cancellation that was taken back, and that nobody accounts for: a status or voucher that
 * differs, and a message out there which no entry of the stack speaks of.
 * @param manual actions a person has followed up: only what was on the stack can be among them
 */
export function leftoversOf(
  before: ServicesRecords | null,
  after: ServicesRecords | null,
  manual: readonly string[],
): string[] {
  const members = (after?.members ?? []).flatMap((member) => {
    const was = before?.members.find((candidate) => candidate.id === member.id);
    const status = was?.status === member.status ? [] : [`member ${member.id} is ${member.status}`];
    const vouchers = member.vouchers.filter(
      (voucher) => was?.vouchers.find((candidate) => candidate.id === voucher.id)?.status !== voucher.status,
    );
    return [...status, ...vouchers.map((voucher) => `voucher ${voucher.id} is ${voucher.status}`)];
  });
  const known = new Set((before?.messages ?? []).map((message) => message.id));
  const sent = (after?.messages ?? []).filter((message) => !known.has(message.id));
  const unknown = manual.includes(MESSAGE_ENTRY) ? [] : sent;
  return [...members, ...unknown.map((message) => `message ${message.id} to ${message.memberId} is with nobody`)];
}
