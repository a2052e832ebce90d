import type { ReactNode } from "react";
import { cx } from "./cx.ts";

export type Tone = "neutral" | "good" | "warn" | "bad" | "accent";

const TONES: Readonly<Record<Tone, string>> = {
  neutral: "bg-sunken text-muted",
  good: "bg-good-soft text-good",
  warn: "bg-warn-soft text-warn",
  bad: "bg-bad-soft text-bad",
  accent: "bg-accent-soft text-accent",
};

interface BadgeProps {
  readonly tone?: Tone;
  /** Shown while the pointer rests on it. */
  readonly title?: string | undefined;
  readonly children: ReactNode;
}

export function Badge({ tone = "neutral", title, children }: BadgeProps) {
  return (
    <span
      title={title}
      className={cx(
        "inline-flex items-center gap-1 rounded px-1.5 py-0.5 text-xs font-medium whitespace-nowrap",
        TONES[tone],
      )}
    >
      {children}
    </span>
  );
}

interface NoticeProps {
  readonly tone?: Tone;
  readonly icon?: ReactNode;
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

/** A sentence that must be read before going on. */
export function Notice({ tone = "neutral", icon, action, children }: NoticeProps) {
  return (
    <div className={cx("flex items-start gap-2.5 rounded-lg px-3.5 py-2.5 text-sm", TONES[tone])}>
      {icon && <span className="mt-0.5 shrink-0">{icon}</span>}
      <div className="min-w-0 flex-1">{children}</div>
      {action}
    </div>
  );
}
