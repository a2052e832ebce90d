// The way of an editor, in real Chromium on a real server: an article is written by a model, edited, dressed,
// its cover cut, and pushed into the draft box of the platform that every installation brings along.
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { CHINESE, launchChromium, looksOr, nameOf } from "./chromium.ts";
import {
  cropCover,
  editTitle,
  makeDraft,
  pushDraft,
  seeInBox,
  seeVersions,
  switchTheme,
  writeWithModel,
} from "./steps/draft-steps.ts";
import { becomeOperator, startWalk } from "./steps/walker.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser.close());

test.each(looksOr(CHINESE).map((look) => [nameOf(look), look] as const))(
  "an editor, from a brief to the draft box: %s",
  async (_, look) => {
    const walker = await startWalk(browser, look);
    try {
      await becomeOperator(walker);
      await makeDraft(walker);
      await writeWithModel(walker);
      const title = await editTitle(walker);
      await switchTheme(walker);
      await cropCover(walker);
      const mediaId = await pushDraft(walker);
      expect(mediaId).toMatch(/^[\w-]{10,}$/);
      await seeVersions(walker);
      await seeInBox(walker, title);
      expect(walker.complaints).toEqual([]);
    } finally {
      await walker.end();
    }
  },
);
