import { type ComponentType, cloneElement, type ReactElement, Suspense, useState } from "react";

/** A menu whose trigger is drawn at once and whose code comes with the first click on it. */
export interface DemandedMenuProps {
  readonly trigger: ReactElement;
}

interface MenuOnDemandProps {
  readonly trigger: ReactElement<{ onClick?: () => void }>;
  /** A lazy component that opens its menu as soon as it is there. */
  readonly menu: ComponentType<DemandedMenuProps>;
}

export function MenuOnDemand({ trigger, menu: LazyMenu }: MenuOnDemandProps) {
  const [wanted, setWanted] = useState(false);
  const plain = cloneElement(trigger, {
    onClick: () => setWanted(true),
    "aria-haspopup": "menu",
    "aria-expanded": false,
  } as object);
  if (!wanted) return plain;
  return (
    <Suspense fallback={plain}>
      <LazyMenu trigger={trigger} />
    </Suspense>
  );
}
