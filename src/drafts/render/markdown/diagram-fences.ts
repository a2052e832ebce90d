// Diagrams that are written as code. To draw them takes a browser, so authors are told which are not.

const KINDS = new Set(
  `mermaid plantuml puml dot graphviz flow flowchart sequence d2 markmap mindmap echarts ditaa nomnoml
   wavedrom`.split(/\s+/),
);
const FENCE = /^ {0,3}(`{3,}|~{3,})[ \t]*([\w+#.-]{0,40})/;

interface Diagram {
  /** Of the text, the first being 1. */
  readonly line: number;
  readonly kind: string;
}

export function isDiagram(language: string | undefined): boolean {
  return KINDS.has(language?.toLowerCase() ?? "");
}

/** Whether a fence ends the code that another began: of the same sign, no shorter, and without a word. */
function closes(fence: string, word: string, open: string): boolean {
  return word === "" && fence.startsWith(open);
}

/** Those whose fences stand at the edge of a markdown text; in lists and quotes they are not looked for. */
export function diagramsIn(markdown: string): readonly Diagram[] {
  const found: Diagram[] = [];
  let open: string | undefined;
  for (const [index, text] of markdown.split("\n").entries()) {
    const [, fence, word = ""] = FENCE.exec(text) ?? [];
    if (fence === undefined) continue;
    if (open !== undefined) {
      if (closes(fence, word, open)) open = undefined;
      continue;
    }
    open = fence;
    if (isDiagram(word)) found.push({ line: index + 1, kind: word.toLowerCase() });
  }
  return found;
}
