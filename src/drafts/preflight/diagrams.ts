import type { CompiledArticle } from "../article/compile.ts";
import { diagramsIn } from "../render/markdown/diagram-fences.ts";
import type { Finding } from "./preflight.ts";

export const DIAGRAM_NOTE = "diagram_not_drawn";

const FIX =
  "It is shown as its source. Draw it elsewhere (Mermaid: mermaid.live) and put the picture in its place.";

/** Diagrams that are shown as their source, each with its line where that is known. */
export function diagramProblems({ doc, notes }: CompiledArticle): Finding[] {
  const count = notes.find(({ code }) => code === DIAGRAM_NOTE)?.count ?? 0;
  if (count === 0) return [];
  const facts = { severity: "warning", code: DIAGRAM_NOTE, field: "source.text" } as const;
  const found = doc.source.format === "markdown" ? diagramsIn(doc.source.text) : [];
  // Where they are not the same, some stand in lists and quotes, and lines would be guesses.
  if (found.length !== count) {
    const message = `Diagrams that are written as code are not drawn (${count}). ${FIX}`;
    return [{ ...facts, found: count, message }];
  }
  return found.map(({ line, kind }) => {
    const message = `The diagram in line ${line} (${kind}) is not drawn. ${FIX}`;
    return { ...facts, found: kind, line, message };
  });
}
