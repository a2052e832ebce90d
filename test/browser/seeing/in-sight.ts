import { expect } from "bun:test";
import type { Locator } from "playwright-core";
import { comesTrue } from "../../support/waiting.ts";

/** Nothing lies over it, and it is not scrolled away. */
export async function inSight(shown: Locator): Promise<void> {
  await comesTrue(async () => {
    const { x, y, width, height } = (await shown.boundingBox()) ?? expect.unreachable();
    const [across, down] = [x + width / 2, y + height / 2];
    const seen = `document.elementFromPoint(${across}, ${down})?.textContent`;
    expect(await shown.page().evaluate(seen)).toBe(await shown.textContent());
  });
}
