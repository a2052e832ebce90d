import type { KeyboardEvent, MouseEvent } from "react";

/**
 * Marks the link or button of a row by which it is opened: `<Link {...OPENS} to=…>`. A row that has one
 * is highlighted, and a click anywhere on it is a click on that.
 */
export const OPENS = { "data-opens": "" } as const;

const OPENER = "[data-opens]";
/** What has a meaning of its own when it is clicked. */
const OWN = "a, button, input, select, textarea, label, summary, [role=switch], [role=checkbox]";

/** The look of rows that open. */
export const OPENING_LOOK =
  "has-[[data-opens]]:cursor-pointer has-[[data-opens]]:hover:bg-sunken " +
  "has-[[data-opens]:focus-visible]:bg-sunken";

/** Whoever marks a text in a row wants to copy it. */
function marksText(row: Element): boolean {
  const selection = getSelection();
  return selection !== null && !selection.isCollapsed && selection.containsNode(row, true);
}

export function openByClick(event: MouseEvent<HTMLTableRowElement>): void {
  const row = event.currentTarget;
  const { target } = event;
  // Dialogs and menus of a cell are elsewhere on the page, but what happens there comes by here too.
  if (!(target instanceof Element) || !row.contains(target)) return;
  if (target.closest(OWN) || marksText(row)) return;
  const { ctrlKey, metaKey, shiftKey } = event;
  // With the keys that were held, so that a link opens in another tab where it would have.
  const click = { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey };
  row.querySelector(OPENER)?.dispatchEvent(new window.MouseEvent("click", click));
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** The arrows go from one row to the next; Enter opens it, as it does with every link and button. */
export function moveByKey(event: KeyboardEvent<HTMLTableSectionElement>): void {
  const step = STEPS[event.key];
  const { target, currentTarget } = event;
  if (step === undefined || !(target instanceof Element) || !target.matches(OPENER)) return;
  const openers = [...currentTarget.querySelectorAll<HTMLElement>(OPENER)];
  const next = openers[openers.indexOf(target as HTMLElement) + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
}
