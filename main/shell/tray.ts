import { Menu, nativeImage, Tray } from "electron";
import type { Texts } from "./texts";

/** A seal, 32 by 32 points. In the source, so that the tray never depends on a file that packaging forgot. */
const SEAL_PNG = [
  "iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAYAAABzenr0AAABBElEQVR42s1XwRXDIAh1hIzAuaeOxAiOkA0yQkawG2QER3GE1L7HwUdJ",
  "1CYWDv+SgH7go+hej6fTRI/xlIEZa0bM2Bki/UOyvY3AZ7ElIwmbHiGRz3SVgK9svBHOiPhfCazCgoFSDII90L8g+K29BKIQKXToBYTM",
  "xFYCPHJ/QeW+lomaA97QangWEFd7qkSOhfCOgJVMpLI7SqOF1VyKZm5owfnAt9TEwgnw6GEAAZCyINUpNNaWb9ziE7i+JOXjQALIO0Lq",
  "exhIAPi5IC3mBhL42ot/3P5AYDNNQK0E6iJUb0P1g0j9KFa/jExcx+oDiYmRzMRQamIsN/EwMfE0M/E4HYo3qll2vOUPfiAAAAAASUVO",
  "RK5CYII=",
].join("");

export interface AppTray {
  setTexts(texts: Texts): void;
}

/** Puts the program into the tray: show the window, quit. Nothing can be approved from here. */
export function createTray(options: { texts: Texts; show: () => void; quit: () => void }): AppTray {
  const tray = new Tray(nativeImage.createFromBuffer(Buffer.from(SEAL_PNG, "base64"), { scaleFactor: 2 }));
  const setTexts = ({ tray: { show, quit } }: Texts) => {
    tray.setToolTip("Imprimatur");
    tray.setContextMenu(
      Menu.buildFromTemplate([
        { label: show, click: options.show },
        { type: "separator" },
        { label: quit, click: options.quit },
      ]),
    );
  };
  setTexts(options.texts);
  tray.on("click", options.show);
  return { setTexts };
}
