import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useMemo, useRef } from "react";
import { type Line, lineAt, splitLines } from "./source-lines";

/**
 * A source's text, of any length, with one span marked and scrolled to. Only the lines in view exist in the page: some
 * sources are megabytes, and the review must not lock up over one.
 */
export function SourceText({
  text,
  span,
  label,
}: {
  text: string;
  span: { start: number; end: number } | null;
  label: string;
}) {
  const box = useRef<HTMLElement>(null);
  const lines = useMemo(() => splitLines(text), [text]);
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => box.current,
    estimateSize: (index) => 22 * Math.max(1, Math.ceil((lines[index]?.text.length ?? 0) / 70)),
    overscan: 20,
  });
  const start = span?.start ?? 0;
  useEffect(() => {
    virtual.scrollToIndex(lineAt(lines, start), { align: span ? "center" : "start" });
  }, [virtual, lines, start, span]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section ref={box} className="source-text" aria-label={label} tabIndex={0}>
      <div style={{ height: virtual.getTotalSize(), position: "relative" }}>
        {virtual.getVirtualItems().map((item) => (
          <div
            key={item.key}
            ref={virtual.measureElement}
            data-index={item.index}
            className="source-line"
            style={{ transform: `translateY(${item.start}px)` }}
          >
            <LineText line={lines[item.index] as Line} span={span} />
          </div>
        ))}
      </div>
    </section>
  );
}

function LineText({ line, span }: { line: Line; span: { start: number; end: number } | null }) {
  const from = span ? Math.max(0, Math.min(line.text.length, span.start - line.start)) : 0;
  const to = span ? Math.max(0, Math.min(line.text.length, span.end - line.start)) : 0;
  if (from >= to) return <>{line.text || "\u00a0"}</>;
  return (
    <>
      {line.text.slice(0, from)}
      <mark>{line.text.slice(from, to)}</mark>
      {line.text.slice(to)}
    </>
  );
}
