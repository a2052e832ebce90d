import {
  type HtmlElement,
  type HtmlParent,
  HtmlTooComplex,
  isElement,
  parseHtml,
} from "../../wechat/html-tree.ts";
import type { CompiledArticle } from "../article/compile.ts";
import { htmlHeading } from "../article/first-heading.ts";
import type { ProblemFix } from "../contract/preview.ts";
import { introduced, namedInText } from "../picture-name.ts";
import { DIAGRAM_NOTE, diagramProblems } from "./diagrams.ts";
import type { Finding } from "./preflight.ts";
import { readableText } from "./readable-text.ts";
import { takenOut } from "./taken-out.ts";

const FIELD = "source.text";
const LINK_HOST = "mp.weixin.qq.com";
/** Each one is fetched, unpacked and uploaded. */
const BODY_IMAGES_MAX = 200;

function attribute(element: HtmlElement, name: string): string {
  return element.attrs.find((attr) => attr.name === name)?.value ?? "";
}

function runsScript(value: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: browsers skip these in an address.
  return /^(?:java|vb)script:/i.test(value.replace(/[\u0000-\u0020]+/g, ""));
}

interface Sight {
  readonly code: string;
  readonly severity: Finding["severity"];
  readonly message: string;
  readonly fix?: ProblemFix;
  seen(element: HtmlElement, ancestors: readonly string[]): boolean;
}

const LISTS = new Set(["ul", "ol"]);

function isOutside(href: string): boolean {
  if (href === "") return false;
  return !URL.canParse(href) || new URL(href).hostname !== LINK_HOST;
}

/** What is looked for in the content. Each is told once, with how often it was seen. */
const SIGHTS: readonly Sight[] = [
  {
    code: "script",
    severity: "error",
    message: "The content has scripts, which no article may have.",
    fix: { kind: "strip_scripts" },
    seen: ({ tagName }) => tagName === "script",
  },
  {
    code: "event_handler",
    severity: "error",
    message: "The content has event handlers such as onclick.",
    fix: { kind: "strip_scripts" },
    seen: ({ attrs }) => attrs.some(({ name }) => /^on/i.test(name)),
  },
  {
    code: "script_address",
    severity: "error",
    message: "The content has addresses that run a script.",
    fix: { kind: "strip_scripts" },
    seen: ({ attrs }) => attrs.some(({ value }) => runsScript(value)),
  },
  {
    code: "style_sheet",
    severity: "warning",
    message: "Style sheets are removed by the platform; styles must stand on the elements.",
    seen: ({ tagName }) => tagName === "style" || tagName === "link",
  },
  {
    code: "class_used",
    severity: "warning",
    message: "Classes have no effect in an article.",
    seen: (element) =>
      attribute(element, "class") !== "" && !/^(?:section|pre|code|iframe)$/.test(element.tagName),
  },
  {
    code: "css_variable",
    severity: "warning",
    message: "CSS variables are removed by the platform.",
    seen: (element) => attribute(element, "style").includes("var("),
  },
  {
    code: "outside_link",
    severity: "warning",
    message: "Links to other sites are removed by the platform; only their text stays.",
    fix: { kind: "footnote_links" },
    seen: (element) => element.tagName === "a" && isOutside(attribute(element, "href")),
  },
  {
    code: "nested_list",
    severity: "warning",
    message: "Lists inside of lists lose their shape in the platform's editor.",
    fix: { kind: "flatten_lists" },
    seen: ({ tagName }, ancestors) => LISTS.has(tagName) && ancestors.some((a) => LISTS.has(a)),
  },
];

function* elementsOf(
  parent: HtmlParent,
  ancestors: readonly string[] = [],
): Generator<{ element: HtmlElement; ancestors: readonly string[] }> {
  for (const node of parent.childNodes) {
    if (!isElement(node)) continue;
    yield { element: node, ancestors };
    yield* elementsOf(node, [...ancestors, node.tagName]);
  }
}

/** What rendering did by itself, in words. */
const NOTES: Readonly<Record<string, string>> = {
  script_removed: "Scripts were taken out.",
  style_sheet_removed: "Style sheets were taken out.",
  element_removed: "Elements that no article may have were taken out.",
  attribute_removed: "Event handlers were taken out.",
  unsafe_address_removed: "Addresses that run a script were taken out.",
  style_removed: "Styles that do not survive the platform were taken out.",
  title_heading_removed: "The heading that repeats the title was taken out.",
  link_footnoted: "Links to other sites became footnotes.",
  list_flattened: "Lists inside of lists were flattened.",
  formula_unreadable: "Formulas that cannot be read are shown as they were written.",
};

function named(message: string, names: readonly string[]): string {
  return names.length === 0 ? message : `${message.replace(/\.$/, "")}: ${names.join(", ")}.`;
}

function noteProblems({ notes, doc }: CompiledArticle): Finding[] {
  const others = notes.filter(({ code }) => code !== DIAGRAM_NOTE);
  return others.map(({ code, count, names = [] }) => {
    const severity = /removed$|unreadable$/.test(code) && code !== "title_heading_removed";
    return {
      severity: severity ? "warning" : "info",
      code,
      field: FIELD,
      found: count,
      message: named(NOTES[code] ?? code, names),
      ...(names.length > 0 && { taken: takenOut(doc.source.text, names) }),
    };
  });
}

function headingProblems(article: CompiledArticle): Finding[] {
  const first = htmlHeading(article.content);
  if (first === undefined || readableText(first) !== article.title) return [];
  const message = "The first heading repeats the title, which is shown above the article anyway.";
  const fix = { kind: "remove_heading" } as const;
  return [{ severity: "warning", code: "title_repeated", field: FIELD, message, fix }];
}

function imageProblems({ doc, bodyImages }: CompiledArticle): Finding[] {
  const problems: Finding[] = [];
  if (bodyImages.length > BODY_IMAGES_MAX) {
    const facts = { limit: BODY_IMAGES_MAX, found: bodyImages.length };
    const message = `The text has ${facts.found} pictures; at most ${facts.limit} are brought.`;
    const code = "body_images_too_many";
    problems.push({ severity: "error", code, field: FIELD, ...facts, message });
  }
  const lying = bodyImages.filter((src) => !/^(?:https?:|data:image\/)/i.test(src));
  for (const src of lying) {
    const named = namedInText(doc.source.text, src);
    const message = introduced(named, "It is neither an http(s) address nor a data: address.");
    const facts = { field: FIELD, found: named.picture, ...named };
    problems.push({ severity: "error", code: "image_address", ...facts, message });
  }
  const old = bodyImages.filter((src) => /\.(?:webp|avif|bmp)(?:$|[?#])/i.test(src));
  if (old.length > 0) {
    const message = "Pictures in WebP, AVIF or BMP are re-encoded, since the platform takes none.";
    const fix = { kind: "re_encode_image" } as const;
    const facts = { field: FIELD, found: old.length };
    problems.push({ severity: "info", code: "image_kinds", ...facts, message, fix });
  }
  return problems;
}

/** What is in the HTML that the platform would remove, or that no article may have. */
export function markupProblems(article: CompiledArticle): Finding[] {
  const counts = new Map<Sight, number>();
  try {
    for (const { element, ancestors } of elementsOf(parseHtml(article.content))) {
      for (const sight of SIGHTS) {
        if (sight.seen(element, ancestors)) counts.set(sight, (counts.get(sight) ?? 0) + 1);
      }
    }
  } catch (thrown) {
    if (!(thrown instanceof HtmlTooComplex)) throw thrown;
    const message = `The content is too complex: ${thrown.message}.`;
    return [{ severity: "error", code: "content_too_complex", field: FIELD, message }];
  }
  const seen = [...counts].map(([{ seen: _seen, ...sight }, found]): Finding => {
    return { ...sight, field: FIELD, found };
  });
  return [
    ...seen,
    ...headingProblems(article),
    ...imageProblems(article),
    ...noteProblems(article),
    ...diagramProblems(article),
  ];
}
