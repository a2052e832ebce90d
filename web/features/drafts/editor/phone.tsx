import { ChevronLeft, Ellipsis } from "lucide-react";
import { useState } from "react";
import { useSpeech } from "../../../i18n/language.tsx";

interface PhoneProps {
  /** Of the page inside, without a fragment. */
  readonly src: string;
  /** Where the text is being written, in percent: that part is shown. */
  readonly at: number;
  /** In the bar above the article. */
  readonly account: string;
}

/** A phone that shows the article as a reader has it. What is inside runs nothing and reaches nothing. */
export function Phone({ src, at, account }: PhoneProps) {
  const { t } = useSpeech();
  return (
    <figure
      aria-label={t("drafts.previewTitle")}
      className="mx-auto w-full max-w-[26.4rem] rounded-[3.2rem] bg-[#0b0c0f] p-[0.7rem] shadow-high ring-1 ring-[#3a3d45]"
    >
      <div className="relative flex h-[min(50rem,calc(100dvh-10.5rem))] min-h-[34rem] flex-col overflow-hidden rounded-[2.55rem] bg-[#ffffff] text-[#16181d]">
        <StatusBar />
        <div className="flex h-11 shrink-0 items-center justify-between border-b border-[#ececec] bg-[#f7f7f7] px-3">
          <ChevronLeft size={22} aria-hidden="true" />
          <span className="max-w-[60%] truncate text-[15px] font-medium">{account}</span>
          <Ellipsis size={22} aria-hidden="true" />
        </div>
        <div className="relative min-h-0 flex-1">
          <Screen src={src} at={at} />
        </div>
        <span
          aria-hidden="true"
          className="pointer-events-none absolute bottom-2 left-1/2 h-1 w-32 -translate-x-1/2 rounded-full bg-[#16181d]/80"
        />
      </div>
    </figure>
  );
}

/** A new version is loaded beneath the old one and takes its place when it is there. */
function Screen({ src, at }: Pick<PhoneProps, "src" | "at">) {
  const { t } = useSpeech();
  const [shown, setShown] = useState(src);
  return [...new Set([shown, src])].map((address) => (
    <iframe
      key={address}
      // Another fragment only scrolls.
      src={`${address}#at-${at}`}
      sandbox=""
      title={t("drafts.previewTitle")}
      referrerPolicy="no-referrer"
      inert={address !== shown}
      onLoad={() => setShown(address)}
      className={`absolute inset-0 size-full bg-[#ffffff] ${address === shown ? "" : "invisible"}`}
    />
  ));
}

function StatusBar() {
  return (
    <div
      aria-hidden="true"
      className="relative flex h-12 shrink-0 items-end justify-between bg-[#f7f7f7] px-7 pb-1.5 text-[15px] font-semibold"
    >
      <span className="tabular-nums">9:41</span>
      <span className="absolute top-3 left-1/2 h-7 w-24 -translate-x-1/2 rounded-full bg-[#0b0c0f]" />
      <svg width="66" height="14" viewBox="0 0 66 14" fill="currentColor" aria-hidden="true">
        <rect x="0" y="9" width="3" height="4" rx="1" />
        <rect x="5" y="6.5" width="3" height="6.5" rx="1" />
        <rect x="10" y="4" width="3" height="9" rx="1" />
        <rect x="15" y="1" width="3" height="12" rx="1" />
        <path d="M30.5 12.6 27 9a5 5 0 0 1 7 0zm-5.2-5.3a7.4 7.4 0 0 1 10.4 0l-1.3 1.3a5.6 5.6 0 0 0-7.8 0zm-2.5-2.6a11 11 0 0 1 15.4 0l-1.3 1.3a9.1 9.1 0 0 0-12.8 0z" />
        <rect
          x="42.5"
          y="1.5"
          width="20"
          height="11"
          rx="3"
          fill="none"
          stroke="currentColor"
          opacity="0.45"
        />
        <rect x="44.5" y="3.5" width="16" height="7" rx="1.5" />
        <rect x="63.5" y="5" width="1.6" height="4" rx="0.8" opacity="0.45" />
      </svg>
    </div>
  );
}
