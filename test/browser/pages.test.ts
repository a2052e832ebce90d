// Every page over fixtures in real Chromium: nothing breaks, nothing sticks out or moves, the words are
// those of the language and, where there is time, axe is content.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { isFull } from "../support/counts.ts";
import { violations } from "./axe.ts";
import { CHINESE, ENGLISH, LOOKS, type Look, launchChromium, nameOf } from "./chromium.ts";
import { faultsOf } from "./inspection.ts";
import type { Scene } from "./scene.ts";
import { visitScene } from "./scene-visit.ts";
import { SCENES } from "./scenes.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser.close());

/**
 * Where there is little time each page is looked at once, in one look after the other, and what
 * another scene shows nearly as well is left out.
 */
const SHOWN = isFull ? SCENES : SCENES.filter(({ aside }) => !aside);

function looksOf(scene: Scene, index: number): readonly Look[] {
  const looks = (isFull ? LOOKS : [ENGLISH, CHINESE]).filter(scene.looks ?? (() => true));
  return isFull ? looks : looks.slice(index % looks.length).slice(0, 1);
}

const CHECKED = SHOWN.map((scene, index) => [scene.name, scene, looksOf(scene, index)] as const);

describe.each(CHECKED)("%s", (_, scene, looks) => {
  for (const look of looks) {
    test(nameOf(look), async () => {
      const { page, broken, moved, end } = await visitScene(browser, scene, look);
      try {
        expect(await faultsOf(page, scene, look)).toEqual([]);
        if (isFull) expect(await violations(page)).toEqual([]);
        expect(moved).toEqual([]);
        expect(broken).toEqual([]);
      } finally {
        await end();
      }
    });
  }
});
