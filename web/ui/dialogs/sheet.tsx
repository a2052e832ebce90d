import { Dialog as Base } from "@base-ui/react/dialog";
import type { ReactNode } from "react";
import { useInertPage } from "../inert-page.ts";

interface SheetProps {
  readonly open: boolean;
  readonly onClose: () => void;
  /** Said by screen readers. */
  readonly title: string;
  readonly children: ReactNode;
}

/** Slides in from the left over the page: the navigation of a phone. */
export function Sheet({ open, onClose, title, children }: SheetProps) {
  useInertPage(open);
  return (
    <Base.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Base.Portal>
        <Base.Backdrop className="backdrop fixed inset-0 z-40 bg-shade transition-opacity duration-150 data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Base.Popup className="fixed inset-y-0 left-0 z-40 w-[min(18rem,85vw)] border-r border-line bg-surface shadow-high outline-none transition-transform duration-150 data-ending-style:-translate-x-full data-starting-style:-translate-x-full">
          <Base.Title className="sr-only">{title}</Base.Title>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
