import type { ComponentProps, ReactNode } from "react";
import { cx } from "./cx.ts";

export type ButtonKind = "primary" | "plain" | "quiet" | "danger";
export type ButtonSize = "small" | "normal";

const BASE =
  "inline-flex shrink-0 items-center justify-center gap-1.5 rounded-md font-medium whitespace-nowrap " +
  "transition-colors select-none disabled:cursor-not-allowed disabled:opacity-55";

const KINDS: Readonly<Record<ButtonKind, string>> = {
  primary: "bg-accent text-on-accent hover:bg-accent-strong",
  plain: "border border-line-strong bg-surface text-text hover:bg-hover",
  quiet: "text-muted hover:bg-hover hover:text-text",
  danger: "border border-line-strong bg-surface text-bad hover:border-bad hover:bg-bad-soft",
};

const SIZES: Readonly<Record<ButtonSize, string>> = {
  small: "h-7 px-2.5 text-[13px]",
  normal: "h-9 px-3.5 text-sm",
};

/** The look of a button, for links that are drawn as one. */
export function buttonClass(kind: ButtonKind = "plain", size: ButtonSize = "normal"): string {
  return cx(BASE, KINDS[kind], SIZES[size]);
}

export interface ButtonProps extends ComponentProps<"button"> {
  readonly kind?: ButtonKind;
  readonly size?: ButtonSize;
  /** The action runs: the button waits and keeps its width and words. */
  readonly busy?: boolean;
}

export function Button({ kind, size, busy, className, type, ...rest }: ButtonProps) {
  return (
    <button
      {...rest}
      type={type ?? "button"}
      // A browser's own complaints are in its language and its words; forms say theirs at the field.
      formNoValidate={type === "submit" || undefined}
      disabled={busy || rest.disabled}
      aria-busy={busy || undefined}
      className={cx(buttonClass(kind, size), className)}
    />
  );
}

interface IconButtonProps extends ComponentProps<"button"> {
  /** Said by screen readers and shown on hover. */
  readonly label: string;
  readonly children: ReactNode;
}

export function IconButton({ label, className, type, ...rest }: IconButtonProps) {
  return (
    <button
      {...rest}
      type={type ?? "button"}
      aria-label={label}
      title={label}
      className={cx(
        "inline-flex size-8 shrink-0 items-center justify-center rounded-md text-muted",
        "transition-colors hover:bg-hover hover:text-text disabled:opacity-55",
        className,
      )}
    />
  );
}
