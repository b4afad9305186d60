import type { BackupDesk } from "./backup-desk";
import type { Handlers } from "./channel-handlers";

/** What the window asks of the backups. */
export const backupHandlers = (desk: BackupDesk): Pick<Handlers, Extract<keyof Handlers, `backups.${string}`>> => ({
  "backups.get": () => desk.get(),
  "backups.choose": () => desk.choose(),
  "backups.turnOff": () => desk.turnOff(),
  "backups.setKeep": ({ keep }) => desk.setKeep(keep),
  "backups.start": () => desk.start(),
  "backups.cancel": () => desk.cancel(),
  "backups.show": () => {
    desk.show();
    return {};
  },
});
