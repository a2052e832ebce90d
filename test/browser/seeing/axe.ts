import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";

const axe = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/** What axe, with every rule of it, finds wrong with the page as it is now. */
export async function violations(page: Page): Promise<string[]> {
  // The page's own policy forbids foreign scripts, so axe comes in through the debugger.
  await page.evaluate(axe);
  return page.evaluate<string[]>(
    `axe.run(document).then(({ violations }) => violations.map(({ id, nodes }) =>
      id + ": " + nodes.map(({ target, failureSummary }) => target + " " + failureSummary).join("; ")))`,
  );
}
