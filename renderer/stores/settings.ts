import { create } from "zustand";
import type { Input, Output } from "../../preload/contract";
import { ask, type BridgeProblem } from "../bridge";
import { type Answer, askLatest, noAnswer } from "./answer";
import { useClock } from "./clock";

export type SettingsView = Output<"settings.get">;
export type ChosenList = Output<"audience.choose">;
export type AudiencePreview = Output<"audience.preview">;
export type AudienceColumns = Input<"audience.preview">["columns"];
/** Columns as far as a person has named them. */
export type NamedColumns = { [Field in keyof AudienceColumns]: AudienceColumns[Field] | null };

interface SettingsState {
  answer: Answer<SettingsView>;
  /** What came of choosing a file. */
  chosen: ChosenList | null;
  columns: NamedColumns;
  preview: Answer<AudiencePreview>;
  imported: Output<"audience.import"> | null;
  /** A file is being chosen, or the list imported: a second click in the same moment is dropped. */
  isBusy: boolean;
  problem: BridgeProblem | null;
  /** Why a schedule could not be let go on. */
  scheduleProblem: BridgeProblem | null;
  load(): Promise<void>;
  /** The clock was looked at, and is right: what waited for that goes on. */
  resumeSchedule(name: string): Promise<void>;
  choose(): Promise<void>;
  nameColumn(field: keyof AudienceColumns, column: number | null): Promise<void>;
  importList(): Promise<void>;
  putAway(): void;
}

const NO_COLUMNS: NamedColumns = { id: null, address: null, group: null };
const nothingChosen = { chosen: null, columns: NO_COLUMNS, preview: noAnswer };

/** The columns, where they are enough to read a list by. */
export function readable({ id, address, group }: NamedColumns): AudienceColumns | null {
  return id === null || address === null || id === address ? null : { id, address, group };
}

/** The settings of the workspace, and a list of customers on its way into the audience. */
export const useSettings = create<SettingsState>()((set, get) => {
  const fetchSettings = askLatest(
    "settings.get",
    () => get().answer,
    (answer) => set({ answer }),
  );
  const fetchPreview = askLatest(
    "audience.preview",
    () => get().preview,
    (preview) => set({ preview }),
  );
  const look = async () => {
    const columns = readable(get().columns);
    set({ preview: noAnswer });
    if (columns !== null) await fetchPreview({ columns });
  };
  const alone = async (act: () => Promise<void>) => {
    if (get().isBusy) return;
    set({ isBusy: true, problem: null });
    await act();
    set({ isBusy: false });
  };
  return {
    answer: noAnswer,
    ...nothingChosen,
    imported: null,
    isBusy: false,
    problem: null,
    scheduleProblem: null,
    load: async () => {
      set({ scheduleProblem: null });
      const value = await fetchSettings({});
      if (value) useClock.getState().receive(value.clock);
    },
    resumeSchedule: (name) =>
      alone(async () => {
        const reply = await ask("settings.resumeSchedule", { name });
        if (!reply.ok) return set({ scheduleProblem: reply.problem });
        await get().load();
      }),
    choose: () =>
      alone(async () => {
        const reply = await ask("audience.choose", {});
        if (!reply.ok) return set({ problem: reply.problem });
        // A dialog that was left changes nothing about the list that is being looked at.
        if (reply.value.result === "nothing_chosen") return;
        const usual = reply.value.result === "chosen" ? reply.value.usual : null;
        set({ ...nothingChosen, chosen: reply.value, columns: usual ?? NO_COLUMNS, imported: null });
        await look();
      }),
    nameColumn: async (field, column) => {
      set({ columns: { ...get().columns, [field]: column } });
      await look();
    },
    importList: () =>
      alone(async () => {
        const { columns: named, preview } = get();
        const columns = readable(named);
        if (columns === null || preview.value?.result !== "ready") return;
        const reply = await ask("audience.import", { columns, importVersion: preview.value.importVersion });
        if (!reply.ok) return set({ problem: reply.problem });
        set({ imported: reply.value });
        if (reply.value.result === "imported") set(nothingChosen);
        else await look();
        await get().load();
      }),
    putAway: () => set({ ...nothingChosen, imported: null, problem: null }),
  };
});
