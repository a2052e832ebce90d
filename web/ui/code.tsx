import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { useSpeech } from "../i18n/language.tsx";
import { Button, IconButton } from "./button.tsx";
import { cx } from "./cx.ts";

const COPIED_MS = 1500;

function useCopy(text: string): { readonly copied: boolean; readonly copy: () => void } {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), COPIED_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = () => {
    void navigator.clipboard?.writeText(text).then(() => setCopied(true));
  };
  return { copied, copy };
}

interface CopyButtonProps {
  readonly text: string;
  /** What is copied, for screen readers: "Copy key id". Shown too, where `wordy`. */
  readonly label?: string | undefined;
  readonly wordy?: boolean;
  readonly className?: string;
}

export function CopyButton({ text, label, wordy, className }: CopyButtonProps) {
  const { t } = useSpeech();
  const { copied, copy } = useCopy(text);
  const words = copied ? t("words.copied") : (label ?? t("words.copy"));
  const icon = copied ? <Check size={14} className="text-good" /> : <Copy size={14} />;
  if (wordy) {
    return (
      <Button onClick={copy} className={className}>
        {icon}
        <span aria-live="polite">{words}</span>
      </Button>
    );
  }
  return (
    <IconButton label={words} onClick={copy} className={cx("size-7 outline-offset-0", className)}>
      {icon}
    </IconButton>
  );
}

/** An id, a name of a model, an address: mono, in one line, with a button to copy it. */
export function Code({ children, copy = true }: { children: string; copy?: boolean }) {
  return (
    <span className="inline-flex max-w-full min-w-0 items-center gap-1 align-middle">
      <code className="truncate font-mono text-[13px]">{children}</code>
      {copy && <CopyButton text={children} />}
    </span>
  );
}

/** What is shown once, marked as a whole by one click. */
export function Secret({ label, children }: { readonly label: string; readonly children: string }) {
  return (
    <output
      aria-label={label}
      className="block rounded-lg border border-line bg-sunken p-3 font-mono text-[13px] break-all select-all"
    >
      {children}
    </output>
  );
}

interface CodeBlockProps {
  readonly children: string;
  /** Names the block for screen readers: "curl". */
  readonly label: string;
}

/** A runnable snippet. It scrolls sideways and can be reached by keyboard for that. */
export function CodeBlock({ children, label }: CodeBlockProps) {
  return (
    <figure
      aria-label={label}
      className="flex min-w-0 items-start rounded-lg border border-line bg-sunken"
    >
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
        tabIndex={0}
        className="min-w-0 flex-1 overflow-x-auto p-3.5 font-mono text-[13px] leading-relaxed"
      >
        <code>{children}</code>
      </pre>
      <CopyButton text={children} className="m-2 shrink-0 bg-surface" />
    </figure>
  );
}
