import type { ReactNode } from "react";
import { cx } from "./cx.ts";
import { Skeleton } from "./skeleton.tsx";

interface CardProps {
  readonly title?: string;
  /** At the right end of the title. */
  readonly action?: ReactNode;
  /** No padding: for tables that reach from edge to edge. */
  readonly flush?: boolean;
  readonly className?: string;
  readonly children: ReactNode;
}

export function Card({ title, action, flush, className, children }: CardProps) {
  return (
    <section
      className={cx("min-w-0 rounded-xl border border-line bg-surface shadow-low", className)}
    >
      {(title || action) && (
        <header className="flex min-h-12 flex-wrap items-center justify-between gap-2 px-5 pt-3">
          <h2 className="text-sm font-semibold">{title}</h2>
          {action}
        </header>
      )}
      <div className={flush ? "" : "p-5"}>{children}</div>
    </section>
  );
}

interface StatProps {
  readonly label: string;
  /** Absent while it loads. */
  readonly value: ReactNode | undefined;
  /** Given but undefined while the number loads: its line is kept free. */
  readonly hint?: ReactNode;
}

const NO_WORDS = "\u00a0";

/** One number with its name; several stand in a `StatRow`. */
export function Stat(props: StatProps) {
  const { label, value, hint } = props;
  const keepsLine = value === undefined && hint === undefined && "hint" in props;
  return (
    <div className="min-w-0 px-5 py-4">
      <dt className="text-[13px] text-muted">{label}</dt>
      <dd className="mt-1 text-xl font-semibold tracking-tight tabular-nums">
        {value === undefined ? <Skeleton className="h-7 w-24" /> : value}
      </dd>
      {(keepsLine || hint !== undefined) && (
        <dd className="mt-0.5 text-[13px] text-muted">{keepsLine ? NO_WORDS : hint}</dd>
      )}
    </div>
  );
}

export function StatRow({ children }: { readonly children: ReactNode }) {
  return (
    <dl className="grid grid-cols-2 overflow-hidden rounded-xl border border-line bg-surface shadow-low lg:auto-cols-fr lg:grid-flow-col lg:grid-cols-none lg:divide-x lg:divide-line">
      {children}
    </dl>
  );
}
