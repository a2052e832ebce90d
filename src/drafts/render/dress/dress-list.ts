// Lists without list elements: the editor adds marks and empty lines to those, and loses what is
// nested. Every item is a paragraph that hangs from a mark made of text.

import {
  type Element,
  element,
  isBlank,
  isBlock,
  isOne,
  NO_STYLE,
  type Node,
  runsOf,
} from "../tree.ts";
import { dressInline } from "./dress-inline.ts";
import { type Dressing, type OuterDressing, part } from "./dressing.ts";
import { edgesOf } from "./edges.ts";

interface ListLevel {
  readonly depth: number;
  /** Where the marks of this list stand, in letters from the left. */
  readonly indentEm: number;
}

const BULLET_WIDTH_EM = 1.3;
const TASK_WIDTH_EM = 1.5;
/** The tick of a task that is done, in a box of 16 by 16. */
const TICK = "M4.2 8.3 L7 11 L11.8 5.4";

export function dressList(list: Element, dressing: OuterDressing): Element {
  const items = listItems(list, dressing, { depth: 0, indentEm: 0 });
  return part(dressing, "list", "section", items);
}

function listItems(list: Element, dressing: OuterDressing, level: ListLevel): readonly Node[] {
  const items = list.children.filter((node) => isOne(node, "li"));
  const first = list.name === "ol" ? Number(list.attributes.start ?? "1") : undefined;
  const widthEm = first === undefined ? BULLET_WIDTH_EM : numberWidth(first + items.length - 1);
  let number = first;
  return items.flatMap((item) => {
    if (number !== undefined) number = Number.parseInt(item.attributes.value ?? `${number}`, 10);
    const mark = markOf(item, number, dressing, level.depth);
    const width = taskOf(item.children) === undefined ? widthEm : Math.max(widthEm, TASK_WIDTH_EM);
    if (number !== undefined) number += 1;
    return listItem(item, mark, dressing, { ...level, widthEm: width });
  });
}

function numberWidth(last: number): number {
  return 0.7 + 0.6 * String(last).length;
}

function markOf(
  item: Element,
  number: number | undefined,
  dressing: Dressing,
  depth: number,
): Element {
  const task = taskOf(item.children);
  if (task !== undefined) return part(dressing, "task", "span", [taskBox(task === "done")]);
  if (number !== undefined) return part(dressing, "number", "span", [`${number}.`]);
  const { markers } = dressing.theme;
  return part(dressing, "marker", "span", [markers[depth] ?? markers.at(-1) ?? "•"]);
}

/** Drawn, because many fonts lack the letters for it and phones make pictures of them. */
function taskBox(isDone: boolean): Element {
  const pen = { fill: "none", stroke: "currentColor", "stroke-width": "1.5" };
  const box = { x: "1.5", y: "1.5", width: "13", height: "13", rx: "2.5", ...pen };
  const tick = { d: TICK, ...pen, "stroke-linecap": "round" };
  const size = { width: "0.95em", height: "0.95em", "vertical-align": "-0.1em" };
  const shapes = [
    element("rect", NO_STYLE, [], box),
    ...(isDone ? [element("path", NO_STYLE, [], tick)] : []),
  ];
  return element("svg", size, shapes, { viewBox: "0 0 16 16" });
}

/** The box of a task stands first in its item, or first in the item's first paragraph. */
function taskOf(nodes: readonly Node[]): string | undefined {
  const first = nodes.find((node) => !isBlank(node));
  if (first === undefined || typeof first === "string") return undefined;
  return first.attributes["data-task"] ?? (first.name === "p" ? taskOf(first.children) : undefined);
}

function listItem(
  item: Element,
  mark: Element,
  dressing: OuterDressing,
  level: ListLevel & { readonly widthEm: number },
): readonly Node[] {
  const { line, rest } = divided(item.children);
  const edgeEm = level.indentEm + level.widthEm;
  const box = { display: "inline-block", width: em(level.widthEm), "text-indent": "0" };
  const said = trimmed(dressInline(line, dressing));
  const hanging = {
    "padding-left": em(edgeEm),
    "text-indent": em(-level.widthEm),
    ...edgesOf(said, dressing),
  };
  const words = [element("span", box, [mark]), ...said];
  const below = runsOf(rest, (node) => isOne(node, "ul", "ol")).flatMap((run) => {
    if (Array.isArray(run)) {
      const blocks = dressing.inside(run, "item");
      if (blocks.length === 0) return [];
      return [element("section", { "padding-left": em(edgeEm) }, blocks)];
    }
    dressing.notes.add("list_flattened");
    return listItems(run, dressing, { depth: level.depth + 1, indentEm: edgeEm });
  });
  return [part(dressing, "item", "section", words, hanging), ...below];
}

/** What stands beside the mark, and what follows below it. */
function divided(nodes: readonly Node[]): { line: readonly Node[]; rest: readonly Node[] } {
  const start = nodes.findIndex((node) => !isBlank(node));
  const first = nodes[start];
  if (isOne(first, "p")) {
    return { line: first.children, rest: nodes.slice(start + 1) };
  }
  const end = nodes.findIndex(isBlock);
  return end < 0
    ? { line: nodes, rest: [] }
    : { line: nodes.slice(0, end), rest: nodes.slice(end) };
}

function trimmed(nodes: readonly Node[]): readonly Node[] {
  const [first, ...others] = nodes;
  return typeof first === "string" ? [first.trimStart(), ...others] : nodes;
}

function em(value: number): string {
  return `${Number(value.toFixed(2))}em`;
}
