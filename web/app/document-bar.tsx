import { ExternalLink } from "lucide-react";
import { BrandMark } from "../ui/brand-mark.tsx";
import { buttonClass } from "../ui/button.tsx";
import { LookChoices } from "./look-choices.tsx";

interface DocumentBarProps {
  /** Where the brand leads. */
  readonly home: string;
  /** The words of the link to the console. */
  readonly toConsole: string;
}

/** The bar above a document that stands by itself beside the console. */
export function DocumentBar({ home, toConsole }: DocumentBarProps) {
  return (
    <header className="sticky top-0 z-30 border-b border-line bg-surface">
      <div className="mx-auto flex h-14 w-full max-w-7xl items-center gap-2 px-4 sm:px-8">
        <a href={home} className="flex items-center gap-2 rounded-md py-1 font-semibold">
          <BrandMark />
          Faregate
        </a>
        <span className="flex-1" />
        <LookChoices />
        <a href="/console" className={buttonClass("plain", "small")}>
          <ExternalLink size={14} />
          {toConsole}
        </a>
      </div>
    </header>
  );
}
