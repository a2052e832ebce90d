import { type RefObject, useEffect, useRef, useState } from "react";

/** Focuses the first field that is wrong, or else shows what is said of the form as a whole, which readers hear by itself. */
function leadToFault(form: HTMLFormElement | null): void {
  const field = form?.querySelector<HTMLElement>("[aria-invalid=true]");
  field?.focus({ preventScroll: true });
  // With its label, and the words below it.
  const shown = field ? field.closest("[data-invalid]:not([aria-invalid])") : undefined;
  (shown ?? field ?? form?.querySelector("[role=alert]"))?.scrollIntoView({ block: "nearest" });
}

interface FaultLead {
  /** The form that was sent last. */
  readonly place: RefObject<HTMLFormElement | null>;
  /** It was refused; once that is drawn, whoever sent it is led to the reason. */
  readonly lead: () => void;
}

/** A form may be longer than what is seen of it: what is wrong with it must not be where nobody looks. */
export function useFaultLead(): FaultLead {
  const place = useRef<HTMLFormElement>(null);
  const [refusals, setRefusals] = useState(0);
  useEffect(() => {
    if (refusals > 0) leadToFault(place.current);
  }, [refusals]);
  return { place, lead: () => setRefusals((before) => before + 1) };
}
