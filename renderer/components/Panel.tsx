import { type ReactNode, useId } from "react";

/** A titled region of a screen. */
export function Panel({
  title,
  actions,
  flush = false,
  className = "",
  foot,
  children,
}: {
  title: ReactNode;
  actions?: ReactNode;
  flush?: boolean;
  className?: string;
  /** Stays in view below the scrolling part. */
  foot?: ReactNode;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <section className={`panel ${className}`} aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {actions}
      </header>
      <div className={flush ? "body flush" : "body"}>{children}</div>
      {foot ? <div className="foot">{foot}</div> : null}
    </section>
  );
}

/** What will appear here, in words, while there is nothing. */
export function Empty({ children }: { children: ReactNode }) {
  return <p className="empty">{children}</p>;
}
