import { Menu, nativeImage, Tray } from "electron";
import { type TrayOptions, trayTemplate, trayView } from "./tray-template";

/** A seal, 32 by 32 points. In the source, so that the tray never depends on a file that packaging forgot. */
const SEAL_PNG = [
  "iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAYAAABzenr0AAABBElEQVR42s1XwRXDIAh1hIzAuaeOxAiOkA0yQkawG2QER3GE1L7HwUdJ",
  "1CYWDv+SgH7go+hej6fTRI/xlIEZa0bM2Bki/UOyvY3AZ7ElIwmbHiGRz3SVgK9svBHOiPhfCazCgoFSDII90L8g+K29BKIQKXToBYTM",
  "xFYCPHJ/QeW+lomaA97QangWEFd7qkSOhfCOgJVMpLI7SqOF1VyKZm5owfnAt9TEwgnw6GEAAZCyINUpNNaWb9ziE7i+JOXjQALIO0Lq",
  "exhIAPi5IC3mBhL42ot/3P5AYDNNQK0E6iJUb0P1g0j9KFa/jExcx+oDiYmRzMRQamIsN/EwMfE0M/E4HYo3qll2vOUPfiAAAAAASUVO",
  "RK5CYII=",
].join("");

export interface AppTray {
  /** Shows this from now on. A menu that says the same as before, and leads to the same, stays: a new one may close the open one. */
  set(options: TrayOptions): void;
}

/** Puts the program into the tray: what waits and what runs, show the window, quit. Nothing can be approved from here. */
export function createTray(options: TrayOptions): AppTray {
  const tray = new Tray(nativeImage.createFromBuffer(Buffer.from(SEAL_PNG, "base64"), { scaleFactor: 2 }));
  let shown = "";
  const set = (now: TrayOptions) => {
    const view = trayView(now);
    const seen = JSON.stringify(view);
    if (seen === shown) return;
    shown = seen;
    tray.setToolTip(view.tip);
    tray.setContextMenu(Menu.buildFromTemplate(trayTemplate(view, now)));
  };
  set(options);
  tray.on("click", options.show);
  return { set };
}
