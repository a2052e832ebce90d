import { describe, expect, test } from "bun:test";
import { renderedSample, SAMPLES } from "../../../test/support/samples/rendered-samples.ts";
import { CODE_COLOURS } from "./dress/code-colours.ts";
import { Notes } from "./markdown/notes.ts";
import { readHtml } from "./sanitize.ts";
import { THEMES } from "./themes.ts";
import type { Node } from "./tree.ts";

/** What WCAG asks of text of ordinary size. */
const CONTRAST_MIN = 4.5;

function luminance(colour: string): number {
  const full = colour.length === 4 ? colour.replace(/[\da-f]/gi, "$&$&") : colour;
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(full.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** Texts that are hard to read, with their colours. */
function pale(nodes: readonly Node[], colour: string, paper: string): string[] {
  return nodes.flatMap((node) => {
    if (typeof node === "string") {
      const found = contrast(colour, paper);
      if (node.trim() === "" || found >= CONTRAST_MIN) return [];
      return [`${node.slice(0, 20)}: ${colour} on ${paper} is ${found.toFixed(2)}`];
    }
    return pale(node.children, node.style.color ?? colour, node.style["background-color"] ?? paper);
  });
}

describe("contrast", () => {
  test("is measured rightly", () => {
    expect(contrast("#000000", "#ffffff")).toBeCloseTo(21);
    expect(contrast("#fff", "#ffffff")).toBe(1);
    expect(pale(["a"], "#777777", "#ffffff")).toHaveLength(1);
  });

  for (const theme of THEMES) {
    test(`of every word suffices in ${theme.id}`, async () => {
      for (const file of SAMPLES) {
        const html = await renderedSample(file, theme.id);
        expect(pale(readHtml(html, new Notes()), "#000000", "#ffffff")).toEqual([]);
      }
    });

    test(`of every colour of code suffices in ${theme.id}`, () => {
      const { codeBox, pre } = theme.parts;
      const paper = pre["background-color"] ?? codeBox["background-color"] ?? "#ffffff";
      for (const { [theme.code]: colour } of Object.values(CODE_COLOURS)) {
        expect(pale([colour], colour, paper)).toEqual([]);
      }
    });
  }
});
