// Tables in a box that scrolls sideways, so that a wide one does not become a column of letters.

import { type Element, element, isBlock, isOne, NO_STYLE, type Node } from "../tree.ts";
import { dressInline } from "./dress-inline.ts";
import { type OuterDressing, part } from "./dressing.ts";

/** From so many columns on a phone cannot show them side by side. */
const WIDE_COLUMNS = 4;
const COLUMN_PX = 92;

export function dressTable(table: Element, dressing: OuterDressing): Element {
  const rows = rowsOf(table);
  const columns = Math.max(0, ...rows.map(({ cells }) => cells.length));
  const width = columns >= WIDE_COLUMNS ? { "min-width": `${columns * COLUMN_PX}px` } : NO_STYLE;
  const head = rows.filter(({ isHead }) => isHead);
  const body = rows.filter(({ isHead }) => !isHead);
  const row = ({ cells, isHead }: Row, index: number): Element => {
    const isEven = !isHead && index % 2 === 1;
    const dressed = cells.map((cell) => dressCell(cell, isEven, dressing));
    return element("tr", NO_STYLE, dressed);
  };
  const groups = [
    ...(head.length > 0 ? [element("thead", NO_STYLE, head.map(row))] : []),
    ...(body.length > 0 ? [element("tbody", NO_STYLE, body.map(row))] : []),
  ];
  const title = table.children.find((node) => isOne(node, "caption"));
  const words = title ? dressInline(title.children, dressing) : [];
  return part(dressing, "tableBox", "section", [
    part(dressing, "table", "table", groups, width),
    ...(words.length > 0 ? [part(dressing, "caption", "p", words)] : []),
  ]);
}

interface Row {
  readonly cells: readonly Element[];
  readonly isHead: boolean;
}

function rowsOf(table: Element): readonly Row[] {
  const rows: Row[] = [];
  const visit = (nodes: readonly Node[], inHead: boolean) => {
    for (const node of nodes) {
      if (typeof node === "string") continue;
      if (node.name === "tr") {
        const cells = node.children.filter((inner) => isOne(inner, "td", "th"));
        const isHead = inHead || (rows.length === 0 && cells.every(({ name }) => name === "th"));
        if (cells.length > 0) rows.push({ cells, isHead });
      } else if (/^t(?:head|body|foot)$/.test(node.name))
        visit(node.children, node.name === "thead");
    }
  };
  visit(table.children, false);
  return rows;
}

function dressCell(cell: Element, isEven: boolean, dressing: OuterDressing): Element {
  const { parts } = dressing.theme;
  const look = cell.name === "th" ? parts.th : { ...parts.td, ...(isEven ? parts.tdEven : {}) };
  const children = cell.children.some(isBlock)
    ? dressing.inside(cell.children, "quoteText")
    : dressInline(cell.children, dressing);
  return element(cell.name, { ...look, ...cell.style }, children, cell.attributes);
}
