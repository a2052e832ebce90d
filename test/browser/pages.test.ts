// Every page over fixtures in real Chromium: nothing breaks, nothing sticks out or moves, the words are
// those of the language and, where there is time, axe is content.
import { expect, test } from "bun:test";
import { availableParallelism } from "node:os";
import type { Page } from "playwright-core";
import { atMost } from "../support/at-most.ts";
import { isFull, isHurried, isOurs } from "../support/counts.ts";
import { CHINESE, ENGLISH, LOOKS, type Look, nameOf } from "./chromium.ts";
import type { Scene } from "./scenes/scene.ts";
import { visitScene } from "./scenes/scene-visit.ts";
import { SCENES } from "./scenes/scenes.ts";
import { violations } from "./seeing/axe.ts";
import { faultsOf } from "./seeing/inspection.ts";
import { suiteWindows } from "./suite-windows.ts";

const { windows } = suiteWindows();

/** Every window costs as much as a page, so no more than there is work for. */
const inWindow = atMost(availableParallelism());

interface Shown {
  readonly scene: Scene;
  readonly looks: readonly Look[];
}

function showIn(looks: readonly Look[], scene: Scene): Shown {
  return { scene, looks: looks.filter(scene.looks ?? (() => true)) };
}

/** The first scene of a page in which something was done or is different: what is open stands before the page. */
function sampleOf(scenes: readonly Scene[]): Scene | undefined {
  return scenes.find(({ act, fixtures }) => act ?? fixtures) ?? scenes[0];
}

/**
 * Where there is little time each page is looked at once, in one look, which differs from one to the next, and in a run
 * of everything every third page. What another scene shows nearly as well is left out.
 */
function shortSelection(): readonly Shown[] {
  const shown = SCENES.filter(({ aside }) => !aside);
  const pages = Map.groupBy(shown, ({ path }) => path.replace(/[?#].*/, ""));
  const some = [...pages.values()].filter((_, place) => !isHurried || place % 3 === 0);
  return some.flatMap((scenes, page) => {
    const scene = sampleOf(scenes);
    if (!scene) return [];
    const { looks } = showIn([ENGLISH, CHINESE], scene);
    const turn = page % looks.length;
    return [{ scene, looks: looks.slice(turn, turn + 1) }];
  });
}

const SHOWN = isFull ? SCENES.map((scene) => showIn(LOOKS, scene)) : shortSelection();

/** Axe takes as long as all else, and minds colours and roles: once in each theme is enough. */
function looksForAxe(looks: readonly Look[]): ReadonlySet<Look | undefined> {
  if (!isFull) return new Set();
  return new Set([
    looks.find(({ theme }) => theme === "light"),
    looks.findLast(({ theme }) => theme === "dark"),
  ]);
}

/** Looks that differ in nothing but the theme, which an open page can change. */
function sightsOf(looks: readonly Look[]): ReadonlyMap<string, readonly Look[]> {
  const sights = Map.groupBy(looks, ({ width, language }) => `${width}-${language}`);
  // The page comes up in the one theme in one sight and in the other in the next.
  const turned = [...sights].map(([name, each], index) => {
    return [name, index % 2 === 0 ? each : each.toReversed()] as const;
  });
  return new Map(turned);
}

async function changeTheme(page: Page, theme: Look["theme"]): Promise<void> {
  await page.emulateMedia({ colorScheme: theme });
  await page.locator(`html[data-theme=${theme}]`).waitFor();
}

async function checkSight(
  scene: Scene,
  looks: readonly Look[],
  forAxe: ReturnType<typeof looksForAxe>,
) {
  const [first] = looks;
  if (!first) throw new Error(`${scene.name} has a sight without a look`);
  const { page, broken, moved, end } = await visitScene(windows(), scene, first);
  try {
    for (const look of looks) {
      await changeTheme(page, look.theme);
      const faults = await faultsOf(page, scene, look);
      if (forAxe.has(look)) faults.push(...(await violations(page)));
      expect({ look: nameOf(look), faults }).toEqual({ look: nameOf(look), faults: [] });
    }
    expect(moved).toEqual([]);
    expect(broken).toEqual([]);
  } finally {
    await end();
  }
}

/** Parts of this suite have different sights, so that no two of them open windows of the same. */
const SIGHTS = [...sightsOf(LOOKS).keys()];

for (const { scene, looks } of SHOWN) {
  const forAxe = looksForAxe(looks);
  for (const [name, sight] of sightsOf(looks)) {
    if (!isOurs(SIGHTS.indexOf(name))) continue;
    const themes = sight.map(({ theme }) => theme).join(" and ");
    test.concurrent(`${scene.name} › ${name} › ${themes}`, () =>
      inWindow(() => checkSight(scene, sight, forAxe)));
  }
}
