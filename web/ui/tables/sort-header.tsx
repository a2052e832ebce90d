import { ArrowDown, ArrowUp } from "lucide-react";
import { cx } from "../cx.ts";

interface SortHeaderProps {
  readonly header: string;
  readonly align?: "right" | undefined;
  readonly direction: "ascending" | "descending" | undefined;
  readonly onClick: () => void;
}

/**
 * The name of a column that sorts. Its arrow stands in the space between two columns, so that it takes
 * none of its own and nothing moves for it; beside numbers on their left, since they end with the name.
 */
export function SortHeader({ header, align, direction, onClick }: SortHeaderProps) {
  const Arrow = direction === "ascending" ? ArrowUp : ArrowDown;
  return (
    <button
      type="button"
      onClick={onClick}
      className={cx(
        "group relative rounded font-medium hover:text-text",
        align === "right" ? "text-right" : "text-left",
        direction && "text-text",
      )}
    >
      {header}
      <Arrow
        size={12}
        aria-hidden="true"
        className={cx(
          "absolute inset-y-0 my-auto",
          align === "right" ? "right-full mr-0.5" : "left-full ml-0.5",
          !direction && "opacity-0 group-hover:opacity-60 group-focus-visible:opacity-60",
        )}
      />
    </button>
  );
}
