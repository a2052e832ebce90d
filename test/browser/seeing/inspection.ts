// What must hold for every picture: its words are there, in letters that are drawn, and nothing
// sticks out, is cut off or lies over something else.
import type { Page } from "playwright-core";
import type { Catalogue } from "../../../web/i18n/catalogue.ts";
import { apiAreas as enApi } from "../../../web/i18n/en/api-areas.ts";
import { en } from "../../../web/i18n/en/catalogue.ts";
import { draftAreas as enDrafts } from "../../../web/i18n/en/drafts/draft-areas.ts";
import { materialAreas as enMaterial } from "../../../web/i18n/en/drafts/material-areas.ts";
import { operatorAreas as enOperators } from "../../../web/i18n/en/operator-areas.ts";
import { settings as enSettings } from "../../../web/i18n/en/settings.ts";
import { apiAreas as zhApi } from "../../../web/i18n/zh/api-areas.ts";
import { zh } from "../../../web/i18n/zh/catalogue.ts";
import { draftAreas as zhDrafts } from "../../../web/i18n/zh/drafts/draft-areas.ts";
import { materialAreas as zhMaterial } from "../../../web/i18n/zh/drafts/material-areas.ts";
import { operatorAreas as zhOperators } from "../../../web/i18n/zh/operator-areas.ts";
import { settings as zhSettings } from "../../../web/i18n/zh/settings.ts";
import type { Look } from "../chromium.ts";
import type { Scene } from "../scenes/scene.ts";

export const CATALOGUES: Readonly<Record<Look["language"], Catalogue>> = {
  en: { ...en, ...enApi, ...enDrafts, ...enMaterial, ...enOperators, settings: enSettings },
  zh: { ...zh, ...zhApi, ...zhDrafts, ...zhMaterial, ...zhOperators, settings: zhSettings },
};

/** At least two of them must be in a row; a brand's name makes no page of a language. */
export const GLYPHS = { en: /[A-Za-z]{3}/, zh: /[\u4e00-\u9fff]{2}/ } as const;

/** What the browser does with the page; it answers faults in words. */
const GEOMETRY = `(() => {
  const faults = [];
  const root = document.documentElement;
  const describe = (node) => node.outerHTML.replace(/class="[^"]*"/, "").slice(0, 80);
  const over = root.scrollWidth - root.clientWidth;
  if (over > 0) faults.push("sticks out by " + over + " px");
  const layer = [...document.querySelectorAll("[role=dialog]")].at(-1) ?? document.querySelector("main");
  const shown = (node) => node.checkVisibility({ opacityProperty: true, visibilityProperty: true });

  for (const node of layer.querySelectorAll("*")) {
    const style = getComputedStyle(node);
    const clips = /hidden|clip/.test(style.overflowX) && style.textOverflow !== "ellipsis";
    // What only screen readers read is one pixel wide.
    if (!clips || node.clientWidth < 8 || node.closest("svg") || !shown(node)) continue;
    if (node.scrollWidth > node.clientWidth + 1) faults.push("cut off: " + describe(node));
  }

  // What is scrolled away lies behind other things, and is not seen there.
  const seen = (node) => {
    let { left, right, top, bottom } = node.getBoundingClientRect();
    for (let at = node.parentElement; at && layer.contains(at); at = at.parentElement) {
      if (getComputedStyle(at).overflowY === "visible") continue;
      const box = at.getBoundingClientRect();
      [left, right] = [Math.max(left, box.left), Math.min(right, box.right)];
      [top, bottom] = [Math.max(top, box.top), Math.min(bottom, box.bottom)];
    }
    return { left, right, top, bottom };
  };
  const touched = [...layer.querySelectorAll("a[href], button, input, select, textarea, [role=switch]")]
    .filter((node) => shown(node) && node.getBoundingClientRect().width > 8)
    .map((node) => ({ node, box: seen(node) }));
  for (const [index, one] of touched.entries()) {
    for (const two of touched.slice(index + 1)) {
      if (one.node.contains(two.node) || two.node.contains(one.node)) continue;
      const across = Math.min(one.box.right, two.box.right) - Math.max(one.box.left, two.box.left);
      const down = Math.min(one.box.bottom, two.box.bottom) - Math.max(one.box.top, two.box.top);
      if (across > 1 && down > 1) faults.push("overlap: " + describe(one.node) + " and " + describe(two.node));
    }
  }
  return faults;
})()`;

/** What can be pressed and lies under a message. Messages make way as soon as something comes there. */
const UNDER_MESSAGES = `(async () => {
  const pressed = "a[href], button, input, select, textarea, summary, [role=switch], [role=tab]";
  const under = () => {
    const toasts = [...document.querySelectorAll("[data-toast]")].map((node) => node.getBoundingClientRect());
    return [...document.querySelectorAll(pressed)]
      .filter((node) => !node.closest("[data-toast], [inert]") && node.checkVisibility())
      .filter((node) => {
        const box = node.getBoundingClientRect();
        return toasts.some((toast) => box.left < toast.right && box.right > toast.left &&
          box.top < toast.bottom && box.bottom > toast.top);
      });
  };
  for (let looks = 0; looks < 40 && under().length > 0; looks++) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return under().map((node) => "under a message: " + node.outerHTML.replace(/class="[^"]*"/, "").slice(0, 80));
})()`;

/** Letters for which the page's font has nothing but a box, found by comparing what is drawn. */
const MISSING_LETTERS = `(() => {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 24;
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  pen.font = "20px " + getComputedStyle(document.body).fontFamily;
  pen.textBaseline = "top";
  const drawn = (letter) => {
    pen.clearRect(0, 0, 24, 24);
    pen.fillText(letter, 1, 1);
    return new Uint32Array(pen.getImageData(0, 0, 24, 24).data.buffer);
  };
  // Two places of Unicode that no letter will ever have, and a blank.
  const boxes = ["\\u{2FFFE}", "\\u{EFFFE}", " "].map(drawn);
  const letters = new Set(document.body.innerText.replace(/[\\s\\u200b]/g, ""));
  const isBox = (picture) => boxes.some((box) => box.every((dot, index) => dot === picture[index]));
  return [...letters].filter((letter) => isBox(drawn(letter)));
})()`;

async function faultyWords(page: Page, scene: Scene, look: Look): Promise<string[]> {
  const { language } = look;
  const wanted = scene.says(CATALOGUES[language], look);
  const text = (await page.evaluate<string>("document.body.innerText")).replaceAll(/\s+/g, " ");
  const missing = wanted.filter((words) => !text.includes(words));
  const main = (await page.locator("main").textContent()) ?? "";
  const told = await page.evaluate<string>("document.documentElement.lang");
  return [
    ...missing.map((words) => `not said: ${words}`),
    ...(wanted.length === 0 ? ["the scene expects no words"] : []),
    ...(GLYPHS[language].test(main) ? [] : [`no word in ${language}`]),
    ...(told.startsWith(language) ? [] : [`the page says that its language is ${told}`]),
  ];
}

async function faultsNow(page: Page, scene: Scene, look: Look): Promise<string[]> {
  const letters = await page.evaluate<readonly string[]>(MISSING_LETTERS);
  return [
    ...(await faultyWords(page, scene, look)),
    ...(letters.length > 0 ? [`letters without a glyph: ${letters.join(" ")}`] : []),
    ...(await page.evaluate<readonly string[]>(GEOMETRY)),
  ];
}

/** A page that is slow has come to rest in the end. */
const REST_LIMIT_MS = 60_000;
const LOOK_AGAIN_MS = 50;

/** What is wrong with the page and stays so: one that is still coming is looked at again. */
async function lastingFaults(page: Page, scene: Scene, look: Look): Promise<string[]> {
  const untilMs = performance.now() + REST_LIMIT_MS;
  for (;;) {
    const faults = await faultsNow(page, scene, look);
    if (faults.length === 0 || performance.now() > untilMs) return faults;
    await Bun.sleep(LOOK_AGAIN_MS);
  }
}

export async function faultsOf(page: Page, scene: Scene, look: Look): Promise<string[]> {
  const lasting = await lastingFaults(page, scene, look);
  // Not looked at again and again: a message goes by itself, and with it what is wrong about it.
  return [...lasting, ...(await page.evaluate<readonly string[]>(UNDER_MESSAGES))];
}
