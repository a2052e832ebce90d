import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { openMathJax } from "./formula-drawing.ts";
import { LETTERS, loadPart } from "./mathjax-parts.ts";

test("every letter of the font is packed", () => {
  const font = dirname(fileURLToPath(import.meta.resolve("@mathjax/mathjax-newcm-font/svg.js")));
  const files = readdirSync(`${font}/svg/dynamic`).filter((name) => name.endsWith(".js"));
  expect(LETTERS.map((path) => path.slice(path.lastIndexOf("/") + 1)).sort()).toEqual(files.sort());
});

test("letters are loaded when a formula asks for them", async () => {
  const draw = await openMathJax();
  const paths = async (tex: string) => (await draw({ tex, display: false })).split("<path").length;
  expect(await paths("\\mathfrak{A}")).toBe(2);
  expect(await paths("\\text{Ж}")).toBe(2);
});

test("a part that is not packed is named", () => {
  expect(() => loadPart("/mathjax/input/asciimath.js")).toThrow("/mathjax/input/asciimath.js");
});
