import { cloneElement, type ReactElement, type ReactNode, Suspense, useState } from "react";

/** What a menu gets whose trigger is drawn at once and whose code comes with the first click. */
export interface DemandedMenuProps {
  readonly trigger: ReactElement;
}

interface MenuOnDemandProps {
  readonly trigger: ReactElement<{ onClick?: () => void }>;
  /** Draws a lazy component that opens its menu as soon as it is there. */
  readonly menu: (trigger: ReactElement) => ReactNode;
}

export function MenuOnDemand({ trigger, menu }: MenuOnDemandProps) {
  const [wanted, setWanted] = useState(false);
  const plain = cloneElement(trigger, {
    onClick: () => setWanted(true),
    "aria-haspopup": "menu",
    "aria-expanded": false,
  } as object);
  if (!wanted) return plain;
  return <Suspense fallback={plain}>{menu(trigger)}</Suspense>;
}
