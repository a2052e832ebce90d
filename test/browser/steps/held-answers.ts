// Answers that come when a test lets them.
import type { Page } from "playwright-core";

/** Answers of these addresses wait until they are let go; those of one method, where it is named. */
export async function hold(page: Page, asked: RegExp, method?: string): Promise<() => void> {
  const held = Promise.withResolvers<void>();
  await page.route(asked, async (route) => {
    if (method === undefined || route.request().method() === method) await held.promise;
    await route.fallback();
  });
  return held.resolve;
}
