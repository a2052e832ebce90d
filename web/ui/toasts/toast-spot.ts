import { type RefObject, useLayoutEffect, useRef } from "react";
import { type Box, placeFor } from "./toast-position.ts";

const PRESSED = "a[href], button, input, select, textarea, summary, [role=switch], [role=tab]";
/** How often it is looked whether something has come in the way, while messages are shown. */
const LOOK_MS = 100;
const EDGE_PX = 16;

function isSeen(node: Element): boolean {
  return node.checkVisibility({ opacityProperty: true, visibilityProperty: true });
}

/** What can be pressed now: below a dialog the page cannot. */
function obstacles(toasts: HTMLElement): readonly Box[] {
  return [...document.querySelectorAll(PRESSED)]
    .filter((node) => !toasts.contains(node) && node.closest("[inert]") === null && isSeen(node))
    .map((node) => node.getBoundingClientRect());
}

/** Beside the menu and below the bar of a phone, which are never free. */
function areaOf(): Box {
  const main = document.querySelector("main")?.getBoundingClientRect();
  const bar = document.querySelector("header.sticky")?.getBoundingClientRect();
  return {
    left: Math.max(0, main?.left ?? 0) + EDGE_PX,
    top: (bar?.height ?? 0) + EDGE_PX,
    right: document.documentElement.clientWidth - EDGE_PX,
    bottom: innerHeight - EDGE_PX,
  };
}

/** Keeps the messages off what can be pressed, for as long as there are any. */
export function usePlace(count: number): RefObject<HTMLElement | null> {
  const spot = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const toasts = spot.current;
    if (count === 0 || !toasts) return;
    let current: { readonly left: number; readonly top: number } | undefined;
    const put = () => {
      const { width, height } = toasts.getBoundingClientRect();
      const place = placeFor({ width, height }, areaOf(), obstacles(toasts), current);
      current = place;
      toasts.style.left = `${place.left}px`;
      toasts.style.top = `${place.top}px`;
      // Where it must lie above something, that can be pressed all the same.
      toasts.toggleAttribute("data-over", !place.free);
    };
    put();
    const timer = setInterval(put, LOOK_MS);
    addEventListener("resize", put);
    addEventListener("scroll", put, { capture: true, passive: true });
    return () => {
      clearInterval(timer);
      removeEventListener("resize", put);
      removeEventListener("scroll", put, { capture: true });
    };
  }, [count]);
  return spot;
}
