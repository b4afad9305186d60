import { create } from "zustand";
import type { Input, Output } from "../../preload/contract";
import { ask, type BridgeProblem, type Reply } from "../bridge";
import { type Answer, askLatest, noAnswer } from "./answer";

export type EvidenceView = Output<"evidence.get">;
export type OpenedBundle = NonNullable<EvidenceView["opened"]>;
export type BundleFacts = NonNullable<OpenedBundle["facts"]>;
export type MadeBundle = EvidenceView["made"][number];
export type Signer = NonNullable<EvidenceView["signer"]>;
export type EvidencePlan = Extract<Output<"evidence.plan">, { result: "planned" }>["plan"];
/** What a bundle is to be made of. */
export type Subject =
  | { taskId: string }
  | { incidentId: string; taskId: string }
  /** Days of the workspace's zone; both belong to it. */
  | { from: string; to: string };
type Refusal = Exclude<Output<"evidence.export">["result"], "started">;

/** What is only told, and comes back as a change. */
type Told = `evidence.${"cancel" | "putAway" | "check" | "makeKey" | "cancelSigning" | "findAgentKeys"}`;

interface EvidenceState {
  answer: Answer<EvidenceView>;
  /** What is looked at before it is exported. */
  exporting: { subject: Subject; withBytes: boolean; stamp: boolean } | null;
  plan: Answer<Output<"evidence.plan">>;
  /** Why the last start came to nothing. */
  refusal: Refusal | null;
  /** What came of saving the signer's line. */
  saved: Output<"evidence.saveAllowedSigners">["result"] | null;
  /** A file is being chosen: a second click in the same moment is dropped. */
  isAsking: boolean;
  problem: BridgeProblem | null;
  load(): Promise<void>;
  hear(value: EvidenceView): void;
  /** Shows what an export would hold. */
  prepareExport(subject: Subject, withBytes: boolean): Promise<void>;
  leaveExport(): void;
  /** Whether the time-stamp server is to be asked. */
  setStamp(stamp: boolean): void;
  startExport(): Promise<void>;
  /** By the hash of one that was made here; null: the person chooses a file. */
  openBundle(sha256: string | null): Promise<void>;
  tell(channel: Told): Promise<void>;
  saveAllowedSigners(): Promise<void>;
  /** What came of registering another key. */
  registering: "busy" | Output<"evidence.registerKey">["result"] | null;
  /** @param agentKey the fingerprint of one of the ssh-agent's; otherwise a new one is made */
  registerKey(reason: string, agentKey?: string): Promise<void>;
  /** What came of keeping a time-stamp server's address. */
  timestampKept: Output<"evidence.setTimestampServer">["result"] | null;
  setTimestampServer(url: string | null): Promise<void>;
  /** What came of writing the private key into a file. */
  exported: Output<"evidence.exportKey">["result"] | null;
  exportKey(): Promise<void>;
}

/** Whether two choices are of the same thing. */
export const isSameSubject = (one: Subject, other: Subject): boolean => nameOf(one) === nameOf(other);

/** Whether a bundle that was written is one of this. */
export const isBundleOf = ({ taskId, of }: MadeBundle, subject: Subject): boolean => nameOf(subject) === (of ?? taskId);

function nameOf(subject: Subject): string {
  if ("from" in subject) return `${subject.from}/${subject.to}`;
  return "incidentId" in subject ? subject.incidentId : subject.taskId;
}

/** Bundles, the key that signs them, and the check of both chains. */
export const useEvidence = create<EvidenceState>()((set, get) => {
  const fetchEvidence = askLatest(
    "evidence.get",
    () => get().answer,
    (answer) => set({ answer }),
  );
  const fetchPlan = askLatest(
    "evidence.plan",
    () => get().plan,
    (plan) => set({ plan }),
  );
  const start = async (begin: () => Promise<Reply<Output<"evidence.export">>>) => {
    if (get().isAsking) return;
    set({ isAsking: true, refusal: null, problem: null });
    const reply = await begin();
    set({ isAsking: false });
    if (!reply.ok) set({ problem: reply.problem });
    else if (reply.value.result !== "started") set({ refusal: reply.value.result });
  };
  return {
    answer: noAnswer,
    exporting: null,
    plan: noAnswer,
    refusal: null,
    saved: null,
    isAsking: false,
    problem: null,
    load: async () => void (await fetchEvidence({})),
    hear: (value) => set({ answer: { value, settled: true, loading: false, problem: null } }),
    prepareExport: async (subject, withBytes) => {
      const isNew = get().exporting === null;
      const stamp = get().exporting?.stamp ?? false;
      set({ exporting: { subject, withBytes, stamp }, plan: noAnswer, refusal: null });
      // What an earlier export came to is not this one's result.
      if (isNew && get().answer.value?.work === null) await get().tell("evidence.putAway");
      if (isNew) void get().load();
      await fetchPlan({ ...subject, withBytes });
    },
    setStamp: (stamp) => {
      const { exporting } = get();
      if (exporting !== null) set({ exporting: { ...exporting, stamp } });
    },
    leaveExport: () => set({ exporting: null, refusal: null }),
    startExport: async () => {
      const { exporting } = get();
      if (exporting === null) return;
      const { subject, withBytes, stamp } = exporting;
      const choice: Input<"evidence.export"> = { ...subject, withBytes, stamp };
      await start(() => ask("evidence.export", choice));
    },
    openBundle: (sha256) => start(() => ask("evidence.open", { sha256 })),
    tell: async (channel) => {
      const reply = await ask(channel, {});
      if (!reply.ok) set({ problem: reply.problem });
    },
    saveAllowedSigners: async () => {
      set({ saved: null });
      const reply = await ask("evidence.saveAllowedSigners", {});
      if (reply.ok) set({ saved: reply.value.result });
      else set({ problem: reply.problem });
    },
    registering: null,
    registerKey: async (reason, agentKey) => {
      if (get().registering === "busy") return;
      set({ registering: "busy" });
      const reply = await ask("evidence.registerKey", { reason, ...(agentKey === undefined ? {} : { agentKey }) });
      set(reply.ok ? { registering: reply.value.result } : { registering: null, problem: reply.problem });
      void get().load();
    },
    timestampKept: null,
    setTimestampServer: async (url) => {
      set({ timestampKept: null });
      const reply = await ask("evidence.setTimestampServer", { url });
      set(reply.ok ? { timestampKept: reply.value.result } : { problem: reply.problem });
      void get().load();
    },
    exported: null,
    exportKey: async () => {
      set({ exported: null });
      const reply = await ask("evidence.exportKey", {});
      set(reply.ok ? { exported: reply.value.result } : { problem: reply.problem });
    },
  };
});
