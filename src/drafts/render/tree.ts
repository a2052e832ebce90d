// Article HTML as plain values: what is read, dressed and written is always a tree and never text.

/** Declarations of one style attribute, in the order in which they are written. */
export type Style = Readonly<Record<string, string>>;

export interface Element {
  readonly name: string;
  /** Every attribute but `style`, in the order in which they are written. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly style: Style;
  readonly children: readonly Node[];
}

export type Node = Element | string;

export const NO_STYLE: Style = {};

const VOID = new Set(["br", "hr", "img"]);

/** Begin and end on lines of their own; all others stand in a line of text. */
const BLOCKS = new Set(
  "section p h1 h2 h3 h4 h5 h6 ul ol li blockquote pre table caption thead tbody tfoot tr th td hr figure figcaption mp-common-profile".split(
    " ",
  ),
);

export function element(
  name: string,
  style: Style,
  children: readonly Node[],
  attributes: Readonly<Record<string, string>> = {},
): Element {
  return { name, attributes, style, children };
}

export function isBlock(node: Node): boolean {
  return typeof node !== "string" && BLOCKS.has(node.name);
}

/** Whether a node is an element of one of these names. */
export function isOne(node: Node | undefined, ...names: readonly string[]): node is Element {
  return typeof node === "object" && names.includes(node.name);
}

export function isBlank(node: Node): boolean {
  return typeof node === "string" && node.trim() === "" && !node.includes("\u00a0");
}

export function hasStyle(node: Element): boolean {
  return Object.keys(node.style).length > 0;
}

export function textOf(nodes: readonly Node[]): string {
  return nodes.map((node) => (typeof node === "string" ? node : textOf(node.children))).join("");
}

/** The same of code: where it was dressed before, its lines end in `<br>`. */
export function linesOf(nodes: readonly Node[]): string {
  const lines = nodes.map((node) => {
    if (typeof node === "string") return node;
    return node.name === "br" ? "\n" : linesOf(node.children);
  });
  return lines.join("");
}

/**
 * Those that stand alone, and what stands between two of them as one run. Nothing but space is no run.
 */
export function runsOf(
  nodes: readonly Node[],
  standsAlone: (node: Element) => boolean,
): readonly (Element | Node[])[] {
  const runs: (Element | Node[])[] = [];
  for (const node of nodes) {
    const last = runs.at(-1);
    if (typeof node !== "string" && standsAlone(node)) runs.push(node);
    else if (Array.isArray(last)) last.push(node);
    else runs.push([node]);
  }
  return runs.filter((run) => !Array.isArray(run) || !run.every(isBlank));
}

/** Every element of the trees, parents before their children. */
export function* elementsOf(nodes: readonly Node[]): Generator<Element> {
  for (const node of nodes) {
    if (typeof node === "string") continue;
    yield node;
    yield* elementsOf(node.children);
  }
}

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\u00a0": "&nbsp;",
};

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"\u00a0]/g, (character) => ESCAPES[character] ?? character);
}

function writeStyle(style: Style): string {
  return Object.entries(style)
    .map(([property, value]) => `${property}:${value}`)
    .join(";");
}

export function writeHtml(nodes: readonly Node[]): string {
  return nodes.map((node) => (typeof node === "string" ? writeText(node) : write(node))).join("");
}

/** Quotes stand as they are in text: an article holds more of them than of anything else. */
function writeText(text: string): string {
  return text.replace(/[&<>\u00a0]/g, (character) => ESCAPES[character] ?? character);
}

function write({ name, attributes, style, children }: Element): string {
  const written = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${escapeHtml(value)}"`,
  );
  const css = writeStyle(style);
  if (css !== "") written.push(` style="${escapeHtml(css)}"`);
  const start = `<${name}${written.join("")}>`;
  return VOID.has(name) ? start : `${start}${writeHtml(children)}</${name}>`;
}
