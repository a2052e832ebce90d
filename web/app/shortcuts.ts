import { useLayoutEffect } from "react";

/** Marks the field that `/` goes to: `<Input {...SEARCH_TARGET} />`. */
export const SEARCH_TARGET = { "data-search": "" } as const;

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

/** cmd-K or ctrl-K opens the palette; `/` goes to the page's search, or to the palette. */
export function useShortcuts({ openPalette }: { readonly openPalette: () => void }): void {
  // Before the page is seen: whoever sees it may press a key.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the action never changes what it does.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const command = event.metaKey || event.ctrlKey;
      if (command && event.key.toLowerCase() === "k") {
        event.preventDefault();
        openPalette();
        return;
      }
      if (event.key !== "/" || command || event.altKey || isTyping(event.target)) return;
      event.preventDefault();
      const field = document.querySelector<HTMLElement>("main [data-search]");
      if (field) field.focus();
      else openPalette();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
}
