import { type HostileBody, lists, texts } from "./making.ts";

/** Markup that renderers stumble over: what may be opened and never closed, or begun again and again. */
const MARKUP: Readonly<Record<string, string>> = {
  "headings that are opened": "<h1>",
  "lists in lists": "- ",
  quotations: "> ",
  emphasis: "*a **b ",
  links: "[a](",
  pictures: "![](",
  tables: "|a",
  "code that is opened": "`a",
  "HTML that is opened": "<div><p>",
  entities: "&amp",
  formulas: "$a",
  notes: "[^1]",
};

/** Articles that are made to be slow to render, as markdown and as HTML. */
export function draftBodies(): HostileBody[] {
  const title = "t";
  const runs = Object.fromEntries(
    Object.entries(MARKUP).flatMap(([name, unit]) =>
      (["markdown", "html"] as const).map((form) => [
        `${name}, as ${form}`,
        (bytes: number) => ({ title, [form]: unit.repeat(Math.ceil(bytes / unit.length)) }),
      ]),
    ),
  );
  return [
    ...texts((markdown) => ({ title, markdown })),
    ...texts((markdown) => ({ title, markdown: `# x${markdown}` })),
    ...lists(runs),
  ];
}
