import { type ReactNode, useEffect } from "react";

interface PageHeaderProps {
  readonly title: string;
  readonly description?: ReactNode;
  /** Above the title: where this page belongs. */
  readonly back?: ReactNode;
  readonly actions?: ReactNode;
}

/** The one h1 of a page; names the browser tab too. */
export function PageHeader({ title, description, back, actions }: PageHeaderProps) {
  useEffect(() => {
    document.title = `${title} · Faregate`;
  }, [title]);
  return (
    <header className="mb-6 flex flex-wrap items-end justify-between gap-x-4 gap-y-3">
      <div className="min-w-0">
        {back && <div className="mb-1 text-[13px] text-muted">{back}</div>}
        <h1 className="text-[22px] leading-tight font-semibold tracking-tight break-words">
          {title}
        </h1>
        {description && <div className="mt-1 text-sm text-muted">{description}</div>}
      </div>
      {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
    </header>
  );
}
