import { useLayoutEffect } from "react";

let modals = 0;

/**
 * While a modal stands above the page, the page takes no pointer, no focus and no reader. What opens
 * above it is drawn outside of the page's element.
 */
export function useInertPage(): void {
  useLayoutEffect(() => {
    const page = document.getElementById("console");
    if (!page) return;
    modals += 1;
    page.inert = true;
    return () => {
      modals -= 1;
      page.inert = modals > 0;
    };
  }, []);
}
