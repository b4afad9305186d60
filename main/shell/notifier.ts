import { Notification } from "electron";
import type { AppNotifier } from "../compose/alert-desk";
import { NotifierMissing } from "../compose/notifier-missing";
import type { Preference } from "./handlers";
import { noticeText } from "./notice-text";

/**
 * The system's own notifications. A click shows the window and lets the page go to the alert; there is no button on it, since
 * nothing may be approved or acknowledged from outside the window.
 */
export function createNotifier(options: { language: () => Preference["language"]; show: () => void }): AppNotifier {
  // One that nobody holds is collected, and its click with it.
  const shown = new Set<Notification>();
  return {
    tell: (notice, onOpen, onFailed) => {
      if (!Notification.isSupported()) throw new NotifierMissing("this system has no notifications");
      const notification = new Notification({ ...noticeText(notice, options.language()), silent: false });
      const forget = () => void shown.delete(notification);
      notification.on("click", () => {
        forget();
        options.show();
        onOpen();
      });
      notification.on("close", forget);
      notification.on("failed", (_event, why) => {
        forget();
        onFailed(new Error(why));
      });
      shown.add(notification);
      notification.show();
    },
  };
}
