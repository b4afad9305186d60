/** Desktops of Linux that show a tray without an extension. GNOME does not; Ubuntu's GNOME brings the extension along. */
const DESKTOPS_WITH_TRAY = new Set([
  "KDE",
  "XFCE",
  "MATE",
  "X-CINNAMON",
  "CINNAMON",
  "LXQT",
  "LXDE",
  "UNITY",
  "UBUNTU",
  "DEEPIN",
  "BUDGIE",
]);

/**
 * Whether this desktop will show a tray. On Linux a tray can always be made and nobody says whether it is visible, so the
 * desktop's name decides; when in doubt there is none, since an invisible program is worse than one that quits and says so.
 */
export function hasTray(platform: NodeJS.Platform, environment: NodeJS.ProcessEnv): boolean {
  if (platform !== "linux") return true;
  const names = (environment.XDG_CURRENT_DESKTOP ?? "").toUpperCase().split(":");
  return names.some((name) => DESKTOPS_WITH_TRAY.has(name));
}
