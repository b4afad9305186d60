import { type ReactNode, useEffect, useRef } from "react";
import { useNav } from "../stores/nav";

/**
 * The screen's heading. It takes the focus at navigation, so that a reader hears where they are and Tab starts there; what
 * stands under the id `describedBy` (an edition's state) is heard with it.
 */
export function ScreenHeading({ children, describedBy }: { children: ReactNode; describedBy?: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const visit = useNav((state) => state.visit);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the visit is the reason to take the focus again
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
  }, [visit]);
  return (
    <h1 ref={heading} tabIndex={-1} aria-describedby={describedBy}>
      {children}
    </h1>
  );
}
