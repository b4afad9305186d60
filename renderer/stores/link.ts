import { create } from "zustand";
import type { Pushed } from "../../preload/contract";
import { linkTo } from "../../preload/contract/place-link";
import { linkedPlace, placeNamed, useNav } from "./nav";

interface LinkState {
  /** What came of the last link: one from outside names no place of this program, or this place's was copied, or could not be. */
  said: "strange" | "copied" | "notCopied" | null;
  /** Goes where a link from outside leads, as a click would: what is unsaved is asked about first. */
  follow(opened: Pushed<"place.open">): void;
  /** @param copy puts a text on the clipboard, and says whether it is there */
  copyHere(copy: (text: string) => Promise<boolean>): Promise<void>;
  dismiss(): void;
}

export const useLink = create<LinkState>()((set) => ({
  said: null,
  follow: ({ place }) => {
    set({ said: place === null ? "strange" : null });
    if (place !== null) useNav.getState().go(placeNamed(place));
  },
  copyHere: async (copy) => {
    const isCopied = await copy(linkTo(linkedPlace(useNav.getState().place)));
    set({ said: isCopied ? "copied" : "notCopied" });
  },
  dismiss: () => set({ said: null }),
}));
