import { create } from "zustand";

interface MenuState {
  shown: "menu" | "shortcuts" | null;
  open(what: "menu" | "shortcuts"): void;
  close(): void;
}

/** Which of the two overlays of the frame is open. */
export const useMenu = create<MenuState>()((set) => ({
  shown: null,
  open: (shown) => set({ shown }),
  close: () => set({ shown: null }),
}));
