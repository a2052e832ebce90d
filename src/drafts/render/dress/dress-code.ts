// Blocks of code. The platform eats line ends and spaces inside of them and the style of `code`, so
// lines end in `<br>`, spaces that matter do not break, and colours stand on spans.

import { isDiagram } from "../markdown/diagram-fences.ts";
import {
  type Element,
  element,
  elementsOf,
  isOne,
  linesOf,
  NO_STYLE,
  type Node,
  textOf,
} from "../tree.ts";
import { CODE_COLOURS } from "./code-colours.ts";
import { type Dressing, part } from "./dressing.ts";
import type { CodeWord } from "./highlight.ts";

const TAB = "\u00a0".repeat(4);
const DOTS = ["#ff5f57", "#febc2e", "#28c840"];

export function dressCode(pre: Element, dressing: Dressing): Element {
  const language = languageOf(pre);
  if (isDiagram(language)) dressing.notes.add("diagram_not_drawn");
  const code = linesOf(pre.children).replace(/^\n+/, "").trimEnd();
  const words = codeNodes(dressing.highlight(code, language), dressing);
  const body = part(dressing, "pre", "pre", [element("code", NO_STYLE, words)]);
  return part(dressing, "codeBox", "section", [...codeBar(language, dressing), body]);
}

/** The three dots of a window and the name of the language, where the theme has a place for them. */
function codeBar(language: string | undefined, dressing: Dressing): readonly Node[] {
  if (Object.keys(dressing.theme.parts.codeBar).length === 0) return [];
  const circles = DOTS.map((fill, index) =>
    element("circle", NO_STYLE, [], { cx: `${5 + index * 16}`, cy: "5", r: "5", fill }),
  );
  const size = { width: "42px", height: "10px", "vertical-align": "middle" };
  const dots = element("svg", size, circles, { viewBox: "0 0 42 10" });
  const name = language ? [part(dressing, "codeName", "span", [language])] : [];
  return [part(dressing, "codeBar", "section", [...name, dots])];
}

function languageOf(pre: Element): string | undefined {
  for (const { attributes } of elementsOf([pre])) {
    if (attributes["data-lang"] !== undefined) return attributes["data-lang"];
  }
  return undefined;
}

function codeNodes(words: readonly CodeWord[], { theme }: Dressing): readonly Node[] {
  let lineBegins = true;
  return words.flatMap(({ text, scope }) => {
    const colour = CODE_COLOURS[scope ?? ""]?.[theme.code];
    const nodes: Node[] = [];
    for (const [index, line] of text.split("\n").entries()) {
      if (index > 0) nodes.push(element("br", NO_STYLE, []));
      if (index > 0) lineBegins = true;
      if (line === "") continue;
      // The platform also eats a space at the start of an element.
      const kept = keepSpaces(line, lineBegins || colour !== undefined);
      lineBegins = false;
      nodes.push(colour === undefined ? kept : element("span", { color: colour }, [kept]));
    }
    return nodes;
  });
}

/** Single spaces between words stay what they are, so that copied code can be run. */
function keepSpaces(line: string, atStart: boolean): string {
  const spaced = line.replaceAll("\t", TAB);
  const kept = spaced.replace(/ {2,}/g, (run) => "\u00a0".repeat(run.length));
  return atStart && kept.startsWith(" ") ? `\u00a0${kept.slice(1)}` : kept;
}

/** Code that brought its own look keeps it, and its lines. */
export function keepLines(nodes: readonly Node[]): readonly Node[] {
  return nodes.flatMap((node, at): readonly Node[] => {
    // A table has lines of its own, and may hold no others between its rows.
    if (typeof node !== "string" && node.name === "table") return [node];
    if (typeof node !== "string") return [{ ...node, children: keepLines(node.children) }];
    const before = nodes[at - 1];
    const isStart = before === undefined || isOne(before, "br");
    return node
      .split("\n")
      .flatMap((line, index) => [
        ...(index > 0 ? [element("br", NO_STYLE, [])] : []),
        ...(line === "" ? [] : [keepSpaces(line, isStart || index > 0)]),
      ]);
  });
}

export function dressInlineCode(code: Element, dressing: Dressing): Element {
  const text = inOneLine(textOf(code.children));
  return element("code", NO_STYLE, [part(dressing, "code", "span", [keepSpaces(text, true)])]);
}

/** Line ends with the spaces around them become one space; those at the two ends of it stay. */
function inOneLine(text: string): string {
  const [first = "", ...others] = text.split("\n");
  const last = others.pop();
  if (last === undefined) return first;
  const between = others.map((line) => line.trim()).filter((line) => line !== "");
  return [first.trimEnd(), ...between, last.trimStart()].join(" ");
}
