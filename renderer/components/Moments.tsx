import { formatDuration, formatMoment, formatZoned } from "../format";
import { useWords } from "../i18n";
import { useClock, useZone } from "../stores/clock";

/** A moment, short in place and whole with its zone on hover. */
export function Moment({ at, shape = "short" }: { at: number; shape?: Parameters<typeof formatMoment>[2] }) {
  const zone = useZone();
  useWords();
  return (
    <time className="num" dateTime={new Date(at).toISOString()} title={formatZoned(at, zone)}>
      {formatMoment(at, zone, shape)}
    </time>
  );
}

/** How long ago, running on; the whole moment on hover. */
export function Ago({ at, checked = false }: { at: number; checked?: boolean }) {
  const t = useWords();
  const zone = useZone();
  const now = useClock((state) => state.now);
  const duration = formatDuration(Math.max(0, now - at) < 1000 ? 0 : now - at);
  return (
    <time className="num" dateTime={new Date(at).toISOString()} title={formatZoned(at, zone)}>
      {checked ? t("clock.checkedAgo", { duration }) : t("clock.ago", { duration })}
    </time>
  );
}

/** How long until, by the workspace's clock; past the moment it says by how much. `quiet`: running out is nothing to hurry for. */
export function Countdown({ until, quiet = false }: { until: number; quiet?: boolean }) {
  const t = useWords();
  const zone = useZone();
  const now = useClock((state) => state.now);
  const left = until - now;
  const tone = quiet ? "neutral" : left <= 0 ? "bad" : left < 15 * 60_000 ? "warn" : "neutral";
  const duration = formatDuration(Math.abs(left) < 1000 ? 0 : left);
  return (
    <time
      className={`num countdown tone-${tone}`}
      dateTime={new Date(until).toISOString()}
      title={formatZoned(until, zone)}
    >
      {left <= 0 ? t("clock.overdue", { duration }) : t("clock.left", { duration })}
    </time>
  );
}
