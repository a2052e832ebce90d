import { describe, expect, test } from "bun:test";
import { renderArticle } from "../render-article.ts";
import { diagramsIn } from "./diagram-fences.ts";

describe("diagrams in a markdown text", () => {
  test("are found with their lines and kinds", () => {
    const text = [
      "a",
      "```mermaid",
      "graph TD; A-->B",
      "```",
      "",
      "~~~~ PlantUML {x}",
      "~~~",
      "~~~~",
      "```js",
      "```",
      "````md",
      "```dot",
      "```",
      "````",
      "``` graphviz",
    ].join("\n");
    expect(diagramsIn(text)).toEqual([
      { line: 2, kind: "mermaid" },
      { line: 6, kind: "plantuml" },
      { line: 15, kind: "graphviz" },
    ]);
  });

  test("are shown as their source, and noted", async () => {
    const text = "```mermaid\ngraph TD\n  A-->B\n```\n\n```dot\ndigraph {}\n```\n\n```js\n1\n```";
    const { html, notes } = await renderArticle({ format: "markdown", text });
    expect(html).toContain("graph TD<br>&nbsp;&nbsp;A--&gt;B");
    expect(notes).toEqual([{ code: "diagram_not_drawn", count: 2 }]);
    const page = '<pre><code class="language-mermaid">graph TD</code></pre>';
    const found = await renderArticle({ format: "html", text: page });
    expect(found.notes).toEqual([{ code: "diagram_not_drawn", count: 1 }]);
  });
});
