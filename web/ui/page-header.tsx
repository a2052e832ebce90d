import { CircleQuestionMark } from "lucide-react";
import { createContext, type ReactNode, use, useEffect } from "react";
import { useSpeech } from "../i18n/language.tsx";
import { HelpContext } from "./help-context.ts";

interface PageHeaderProps {
  readonly title: string;
  readonly description?: ReactNode;
  /** Above the title: where this page belongs. */
  readonly back?: ReactNode;
  readonly actions?: ReactNode;
}

/** What the page stands in, where it is a part of another one that has the h1. */
const FrameContext = createContext<string | undefined>(undefined);

export function PageFrame({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ReactNode;
}) {
  return <FrameContext value={title}>{children}</FrameContext>;
}

/** The one h1 of a page; names the browser tab too. */
export function PageHeader(props: PageHeaderProps) {
  const { title, description, back, actions } = props;
  const frame = use(FrameContext);
  useEffect(() => {
    document.title = [title, frame, "Faregate"].filter(Boolean).join(" · ");
  }, [title, frame]);
  if (frame !== undefined) return <PartHeader {...props} />;
  return (
    <header className="mb-6 flex flex-wrap items-end justify-between gap-x-4 gap-y-3">
      <div className="min-w-0">
        {back && <div className="mb-1 text-[13px] text-muted">{back}</div>}
        <div className="flex items-center gap-1.5">
          <h1 className="min-w-0 text-[22px] leading-tight font-semibold tracking-tight break-words">
            {title}
          </h1>
          <HelpLink />
        </div>
        {description && <div className="mt-1 text-sm text-muted">{description}</div>}
      </div>
      {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
    </header>
  );
}

/** The frame's navigation names the part already, unless it is one thing of several. */
function PartHeader({ title, description, back, actions }: PageHeaderProps) {
  if (!back && !actions) return <h2 className="sr-only">{title}</h2>;
  return (
    <header className="mb-4 flex flex-wrap items-end justify-between gap-x-4 gap-y-3">
      <div className="min-w-0">
        {back && <div className="mb-1 text-[13px] text-muted">{back}</div>}
        <h2 className={back ? "text-lg leading-tight font-semibold break-words" : "sr-only"}>
          {title}
        </h2>
        {back && description && <div className="mt-1 text-sm text-muted">{description}</div>}
      </div>
      {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
    </header>
  );
}

/** To the docs of this page, in a tab of their own: what is being done here stays. */
export function HelpLink() {
  const { t } = useSpeech();
  const address = use(HelpContext);
  if (address === undefined) return null;
  return (
    <a
      href={address}
      target="_blank"
      rel="noreferrer"
      aria-label={t("words.help")}
      title={t("words.help")}
      className="inline-flex size-7 shrink-0 items-center justify-center rounded-md text-muted hover:bg-hover hover:text-text"
    >
      <CircleQuestionMark size={16} aria-hidden="true" />
    </a>
  );
}
