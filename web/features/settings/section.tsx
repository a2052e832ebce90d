import type { ReactNode } from "react";
import { Card } from "../../ui/card.tsx";

interface SectionProps {
  readonly title: ReactNode;
  readonly hint: string;
  /** At the right end; below the words where there is no room. */
  readonly action?: ReactNode;
  readonly children?: ReactNode;
}

/** One subject of security: what it is, what can be done, and what there is of it. */
export function Section({ title, hint, action, children }: SectionProps) {
  return (
    <Card flush>
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 p-5">
        <div className="min-w-0 flex-1 basis-64">
          <h2 className="flex flex-wrap items-center gap-2 text-sm font-semibold">{title}</h2>
          <p className="mt-1 text-sm text-muted">{hint}</p>
        </div>
        {action && <div className="flex flex-wrap gap-2">{action}</div>}
      </div>
      {children && <div className="border-t border-line">{children}</div>}
    </Card>
  );
}
