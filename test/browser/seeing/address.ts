// Where a window is. Its address follows what it shows a moment later, so nobody looks at it only once.
import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { comesTrue } from "../../support/waiting.ts";

function pathOf(page: Page): string {
  const { pathname, search } = new URL(page.url());
  return pathname + search;
}

/** Waits until the window is there: `/console/keys?q=codex`, with nothing else behind the question mark. */
export async function seePath(page: Page, path: string): Promise<void> {
  await comesTrue(() => expect(pathOf(page)).toBe(path));
}
