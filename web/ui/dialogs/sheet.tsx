import { Dialog as Base } from "@base-ui/react/dialog";
import type { ReactNode } from "react";
import { type Closes, Modal } from "./dialog.tsx";

interface SheetProps extends Closes {
  /** Said by screen readers. */
  readonly title: string;
  readonly children: ReactNode;
}

/** Slides in from the left over the page: the navigation of a phone. */
export function Sheet({ onClose, title, children }: SheetProps) {
  return (
    <Modal
      onClose={onClose}
      className="fixed inset-y-0 left-0 z-40 w-[min(18rem,85vw)] border-r border-line bg-surface shadow-high outline-none transition-transform duration-150 data-ending-style:-translate-x-full data-starting-style:-translate-x-full"
    >
      <Base.Title className="sr-only">{title}</Base.Title>
      {children}
    </Modal>
  );
}
