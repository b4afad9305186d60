import type { BlobStore, Clock, CrashPoints, WriteAdapter } from "../../domain/ports";

/** A service that a chain writes to: its adapter, where things are, and the bytes of a request. */
export interface ChainService {
  name: string;
  adapter: WriteAdapter;
  /** Where something of the subject is written and asked. */
  urlOf(place: string, subject: string): string;
  /** The bytes of a state to reach, or of a message to deliver. */
  request(input: {
    operationKey: string;
    subject: string;
    state: string | null;
    text: string | null;
    expectedRevision: number | null;
  }): Uint8Array;
}

/** What a chain of actions needs from outside. `compose` brings it. */
export interface ChainPorts {
  clock: Clock;
  blobs: BlobStore;
  crash: CrashPoints;
  serviceOf(name: string): ChainService;
}

/** A chain is about one subject: the `edition` of its task. */
export const subjectOf = (task: { edition: string }): string => task.edition;
