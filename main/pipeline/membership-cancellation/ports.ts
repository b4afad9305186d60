import type { BlobStore, Clock, CrashPoints, WriteAdapter } from "../../domain/ports";

/** What the cancellation of a membership needs from outside. `compose` brings it. */
export interface MembershipPorts {
  clock: Clock;
  blobs: BlobStore;
  crash: CrashPoints;
  members: {
    name: string;
    adapter: WriteAdapter;
    /** Where a member's status, and where all of their vouchers are written and asked. */
    statusUrl(memberId: string): string;
    vouchersUrl(memberId: string): string;
    /** The bytes of a state to reach. */
    request(input: { operationKey: string; status: string; expectedRevision: number | null }): Uint8Array;
  };
  messages: {
    name: string;
    adapter: WriteAdapter;
    url: string;
    request(input: { operationKey: string; memberId: string; text: string }): Uint8Array;
  };
}

/** A cancellation is of one member: the `edition` of its task. */
export const memberOf = (task: { edition: string }): string => task.edition;
