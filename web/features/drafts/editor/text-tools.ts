// What the buttons above the text do to what is marked in it.

export const TOOLS = ["heading", "bold", "italic", "quote", "list", "code", "link"] as const;
export type Tool = (typeof TOOLS)[number];

export interface Insertion {
  readonly text: string;
  /** What is marked afterwards, from the start of the insertion. */
  readonly from: number;
  readonly to: number;
}

function around(before: string, marked: string, after: string): Insertion {
  const from = before.length;
  return { text: `${before}${marked}${after}`, from, to: from + marked.length };
}

function eachLine(marked: string, before: string): Insertion {
  const text = marked
    .split("\n")
    .map((line) => `${before}${line}`)
    .join("\n");
  return { text, from: before.length, to: text.length };
}

/** The text in place of what was marked. */
export function applyTool(tool: Tool, marked: string): Insertion {
  switch (tool) {
    case "heading":
      return eachLine(marked, "## ");
    case "bold":
      return around("**", marked, "**");
    case "italic":
      return around("*", marked, "*");
    case "quote":
      return eachLine(marked, "> ");
    case "list":
      return eachLine(marked, "- ");
    case "code":
      return marked.includes("\n") ? around("```\n", marked, "\n```") : around("`", marked, "`");
    case "link": {
      const text = `[${marked}](https://)`;
      return { text, from: text.length - 1, to: text.length - 1 };
    }
  }
}
