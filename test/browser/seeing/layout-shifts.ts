// What moved on a page by itself after it was drawn. Chromium measures it; we only write it down.
import type { Page } from "playwright-core";

/** A fifth of what is called good on the web; rounding of half a pixel stays below it. */
const SHIFT_MAX = 0.02;

interface Shift {
  readonly value: number;
  readonly moved: readonly string[];
}

/** Must be called before the page is opened. */
export async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(`
    window.shiftsOfTest = [];
    new PerformanceObserver((list) => {
      for (const { hadRecentInput, value, sources } of list.getEntries()) {
        if (hadRecentInput) continue;
        const moved = sources.map(({ node }) => (node?.outerHTML ?? node?.textContent ?? "").slice(0, 90));
        window.shiftsOfTest.push({ value, moved });
      }
    }).observe({ type: "layout-shift", buffered: true });
  `);
}

/** Nothing, where what moved is too little to be seen. */
export async function faultyShifts(page: Page): Promise<string[]> {
  const shifts = await page.evaluate<readonly Shift[]>("window.shiftsOfTest");
  const total = shifts.reduce((sum, { value }) => sum + value, 0);
  if (total <= SHIFT_MAX) return [];
  return shifts.map(({ value, moved }) => `moved by ${value.toFixed(4)}: ${moved.join(" | ")}`);
}
