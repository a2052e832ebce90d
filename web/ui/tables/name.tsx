import type { ReactNode } from "react";
import { cx } from "../cx.ts";

/**
 * The look of a name that somebody chose, in a cell. It takes two lines at most and breaks anywhere, so that no name
 * pushes other columns out of the table, and it keeps the width of some letters beside longer ones.
 */
export const NAME_LOOK = "line-clamp-2 min-w-20 max-w-72 wrap-anywhere";

interface NameProps {
  readonly text: string;
  readonly className?: string;
  /** Where the name is more than its text. */
  readonly children?: ReactNode;
}

export function Name({ text, className, children }: NameProps) {
  return (
    <span title={text} className={cx(NAME_LOOK, className)}>
      {children ?? text}
    </span>
  );
}

/** An e-mail address, which breaks at its sign before it breaks anywhere else. */
export function Address({ text, className }: Omit<NameProps, "children">) {
  const at = Math.max(text.indexOf("@"), 0);
  return (
    <Name text={text} {...(className && { className })}>
      {text.slice(0, at)}
      <wbr />
      {text.slice(at)}
    </Name>
  );
}
