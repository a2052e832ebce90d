// Answers that come when a test lets them.
import type { Page } from "playwright-core";

/** Answers of these addresses wait until they are let go. */
export async function hold(page: Page, asked: RegExp): Promise<() => void> {
  const held = Promise.withResolvers<void>();
  await page.route(asked, async (route) => {
    await held.promise;
    await route.fallback();
  });
  return held.resolve;
}
