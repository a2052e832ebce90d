import type { ReactNode } from "react";

interface EmptyStateProps {
  readonly icon?: ReactNode;
  readonly title: string;
  /** The next step, in a sentence. */
  readonly children?: ReactNode;
  readonly action?: ReactNode;
  /** It is all there is on the page, so its title is the page's heading. */
  readonly page?: boolean;
}

export function EmptyState({ icon, title, children, action, page }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center gap-2 px-6 py-12 text-center">
      {icon && <span className="mb-1 text-muted">{icon}</span>}
      {page ? <h1 className="font-medium">{title}</h1> : <p className="font-medium">{title}</p>}
      {children && <div className="max-w-md text-sm text-muted">{children}</div>}
      {action && <div className="mt-3">{action}</div>}
    </div>
  );
}
