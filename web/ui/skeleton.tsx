import { cx } from "./cx.ts";

/** Holds the place of what loads, in its size, so that nothing moves when it comes. */
export function Skeleton({ className }: { readonly className?: string }) {
  return <span aria-hidden="true" className={cx("skeleton block", className ?? "h-4 w-full")} />;
}

/** A page while its code or data loads. */
export function PageSkeleton() {
  return (
    <div className="flex flex-col gap-5" aria-busy="true">
      <Skeleton className="h-8 w-48" />
      <Skeleton className="h-24 w-full" />
      <Skeleton className="h-72 w-full" />
    </div>
  );
}
