// What the buttons above the text do to what is marked in it.

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
const APPLIED = {
  heading: (marked: string) => eachLine(marked, "## "),
  bold: (marked: string) => around("**", marked, "**"),
  italic: (marked: string) => around("*", marked, "*"),
  quote: (marked: string) => eachLine(marked, "> "),
  list: (marked: string) => eachLine(marked, "- "),
  code: (marked: string) =>
    marked.includes("\n") ? around("```\n", marked, "\n```") : around("`", marked, "`"),
  link: (marked: string) => around(`[${marked}](https://`, "", ")"),
};

export type Tool = keyof typeof APPLIED;
export const TOOLS = Object.keys(APPLIED) as readonly Tool[];

export function applyTool(tool: Tool, marked: string): Insertion {
  return APPLIED[tool](marked);
}
