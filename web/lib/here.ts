import { type RefObject, useEffect, useRef } from "react";

/** Whether what asked is still on the page, for answers that take their time. */
export function useHere(): Readonly<RefObject<boolean>> {
  const here = useRef(true);
  useEffect(() => {
    here.current = true;
    return () => {
      here.current = false;
    };
  }, []);
  return here;
}
