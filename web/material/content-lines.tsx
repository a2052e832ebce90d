import type { LineChange } from "../../src/console/contract/material.ts";
import { useSpeech } from "../i18n/language.tsx";
import { cx } from "../ui/cx.ts";
import type { Drawn } from "./line-fold.ts";

const INDENT_REM = 0.75;
const DEPTH_MAX = 10;

interface ContentLinesProps {
  readonly label: string;
  readonly lines: readonly Drawn[];
  /** How many more there are that were not sent. */
  readonly leftOut: number;
}

/** HTML line by line, never as HTML. What was dropped and added is marked by a sign, too. */
export function ContentLines({ label, lines, leftOut }: ContentLinesProps) {
  const { t } = useSpeech();
  return (
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
      tabIndex={0}
      className="max-h-[32rem] overflow-y-auto rounded-lg border border-line bg-sunken py-2 font-mono text-[12.5px] leading-relaxed"
    >
      <ol>
        {lines.map((drawn) =>
          "folded" in drawn ? (
            <li key={drawn.key} className="px-3 py-0.5 font-sans text-xs text-muted">
              {t("material.folded", { count: drawn.folded })}
            </li>
          ) : (
            <OneLine key={drawn.key} line={drawn.line} />
          ),
        )}
      </ol>
      {leftOut > 0 && (
        <p className="px-3 pt-1 font-sans text-xs text-muted">
          {t("material.leftOut", { count: leftOut })}
        </p>
      )}
    </section>
  );
}

const SIGNS = { same: "", dropped: "−", added: "+" } as const;
const LOOKS = {
  same: "",
  dropped: "bg-bad-soft text-bad",
  added: "bg-good-soft text-good",
} as const;

function OneLine({ line }: { readonly line: LineChange }) {
  const { kind, depth, text } = line;
  const Tag = kind === "dropped" ? "del" : kind === "added" ? "ins" : "span";
  return (
    <li className={cx("flex gap-2 px-3", LOOKS[kind])}>
      <span aria-hidden="true" className="w-2 shrink-0 select-none">
        {SIGNS[kind]}
      </span>
      <Tag
        className="min-w-0 flex-1 break-words whitespace-pre-wrap no-underline"
        style={{ paddingLeft: `${Math.min(depth, DEPTH_MAX) * INDENT_REM}rem` }}
      >
        {text}
      </Tag>
    </li>
  );
}
