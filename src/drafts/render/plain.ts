// The words of an article without its look, for messages of pictures and for digests.
import { type Element, elementsOf, isBlank, isBlock, linesOf, type Node, runsOf } from "./tree.ts";

interface PlainOptions {
  /** Whether the addresses of links stand behind their words. */
  readonly addresses: boolean;
}

/** Paragraphs apart by an empty line, items of lists on lines of their own. */
export function plainText(nodes: readonly Node[], options: PlainOptions): string {
  const text = blocks(nodes, options).join("\n\n");
  const lines = text.split("\n").map((line) => line.trimEnd());
  return lines.join("\n").trim();
}

function blocks(nodes: readonly Node[], options: PlainOptions): readonly string[] {
  return runsOf(nodes, isBlock).flatMap((run) => {
    if (!Array.isArray(run)) return block(run, options);
    const line = run.map((node) => inline(node, options)).join("");
    return line.trim() === "" ? [] : [line.trim()];
  });
}

function block(node: Element, options: PlainOptions): readonly string[] {
  if (node.attributes["data-note-text"] !== undefined) return [];
  switch (node.name) {
    case "ul":
    case "ol":
      return [items(node, options).join("\n")];
    case "pre":
      return [linesOf(node.children).trimEnd()];
    case "table":
      return [rows(node, options).join("\n")];
    default:
      return blocks(node.children, options);
  }
}

function items(list: Element, options: PlainOptions): readonly string[] {
  let number = Number(list.attributes.start ?? "1");
  return list.children.flatMap((item) => {
    if (isBlank(item) || typeof item === "string") return [];
    const task = [...elementsOf(item.children)].find(({ attributes }) => attributes["data-task"]);
    const mark = list.name === "ol" ? `${number}.` : "•";
    number += 1;
    const sign = task ? (task.attributes["data-task"] === "done" ? "☑" : "☐") : mark;
    const [first = "", ...rest] = blocks(item.children, options);
    const below = rest.flatMap((text) => text.split("\n").map((line) => `  ${line}`));
    return [`${sign} ${first}`, ...below];
  });
}

function rows(table: Element, options: PlainOptions): readonly string[] {
  const found = [...elementsOf(table.children)].filter(({ name }) => name === "tr");
  return found.map((row) => {
    const cells = row.children.filter((node) => !isBlank(node));
    return cells.map((cell) => blocks([cell], options).join(" ")).join(" | ");
  });
}

function inline(node: Node, options: PlainOptions): string {
  if (typeof node === "string") return node.replace(/[ \t\n]+/g, " ");
  if (node.name === "br") return "\n";
  if (node.name === "svg" || node.attributes["data-note"] !== undefined) return "";
  if (node.name === "rp") return "";
  const text = node.children.map((child) => inline(child, options)).join("");
  if (node.name === "rt") return `(${text})`;
  const { href } = node.attributes;
  if (!options.addresses || href === undefined || href.startsWith("#")) return text;
  return text.includes(href.replace(/^mailto:/, "")) ? text : `${text} (${href})`;
}
