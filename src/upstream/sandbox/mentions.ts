import { stemsOf } from "./words.ts";

const QUOTED = new RegExp(
  '"([^"\\n]{1,200})"|“([^”\\n]{1,200})”|`([^`\\n]{1,200})`|' +
    "(?<![\\p{L}\\p{N}])'([^'\\n]{1,200})'(?!\\p{L})",
  "gu",
);
/** Words joined by a hyphen or an underscore, with a capital or a digit; `B12`; `USB`. */
const MARKER = new RegExp(
  "(?<![\\w-])(?:(?=[\\w-]*[A-Z0-9_])(?=[\\w-]*[A-Za-z])[A-Za-z0-9]+(?:[_-][A-Za-z0-9]+)+|" +
    "(?=\\w*[A-Z])(?=\\w*\\d)\\w{2,}|[A-Z]{3,})(?![\\w-])",
  "g",
);
const NAME_WORD = "\\p{Lu}[\\p{L}\\p{N}'’-]{0,40}";
const NAME_RUN = new RegExp(`(?<![\\p{L}\\p{N}_-])${NAME_WORD}(?: ${NAME_WORD})*`, "gu");
const OBJECT = new RegExp(
  "\\b(?:in|for|of|about|from|on|near|called|named)\\s+(?:the\\s+|a\\s+|an\\s+|my\\s+)?" +
    "([\\p{L}\\p{N}][\\p{L}\\p{N}'-]*)",
  "giu",
);
const NAME_OR_QUOTE = `(?:"[^"\\n]{1,80}"|${NAME_WORD}(?: ${NAME_WORD}){0,5})`;
const JOINT = "(?:\\s*,\\s*(?:and\\s+|or\\s+)?|\\s+(?:and|or|&|vs\\.?)\\s+)";
const NOT_INSIDE = "(?<![\\p{L}\\p{N}_-])";
const LIST = new RegExp(`${NOT_INSIDE}${NAME_OR_QUOTE}(?:${JOINT}${NAME_OR_QUOTE})+`, "gu");

export function quotedIn(text: string): string[] {
  return [...text.matchAll(QUOTED)].map(
    (match) => match[1] ?? match[2] ?? match[3] ?? match[4] ?? "",
  );
}

/** Codes, serials and identifiers: what nobody says unless they mean exactly that. */
export function markersIn(text: string): string[] {
  return text.match(MARKER) ?? [];
}

/** Runs of capitalised words, without the capital that only starts a sentence. */
function namesIn(text: string): string[] {
  const names: string[] = [];
  for (const match of text.matchAll(NAME_RUN)) {
    const before = text.slice(Math.max(0, match.index - 8), match.index).trimEnd();
    const starts = before === "" || /[.!?:;\n"“(]$/u.test(before);
    const name = starts ? match[0].split(" ").slice(1).join(" ") : match[0];
    if (name.length > 1 && stemsOf(name).size > 0) names.push(name);
  }
  return names;
}

/** The first list of names such as `Oslo, Bergen and Narvik`, taken apart. */
export function listedIn(text: string): string[] {
  for (const match of text.matchAll(LIST)) {
    const names = match[0]
      .split(new RegExp(JOINT, "u"))
      .map((name) => name.replace(/^"|"$/g, "").trim())
      .filter((name) => stemsOf(name).size > 0);
    const distinct = [...new Set(names)];
    if (distinct.length > 1) return withoutLeadingVerb(distinct, text.trimStart(), match[0]);
  }
  return [];
}

/** In `Compare Oslo and Bergen` the capital of the first word belongs to the sentence. */
function withoutLeadingVerb(names: string[], text: string, list: string): string[] {
  const [first = "", ...others] = names;
  const words = first.split(" ");
  if (!text.startsWith(list) || words.length < 2) return names;
  return [words.slice(1).join(" "), ...others];
}

/** Everything in a text that could be meant as a value, the most deliberate first. */
export function mentionsIn(text: string): string[] {
  const objects = [...text.matchAll(OBJECT)]
    .map((match) => match[1] ?? "")
    .filter((word) => stemsOf(word).size > 0);
  return [
    ...new Set([
      ...quotedIn(text),
      ...markersIn(text),
      ...listedIn(text),
      ...namesIn(text),
      ...objects,
    ]),
  ];
}

export function numbersIn(text: string): number[] {
  const found = text.match(/(?<![\w.-])-?\d+(?:,\d{3})*(?:\.\d+)?(?![\w-])/g) ?? [];
  return found.map((digits) => Number(digits.replaceAll(",", ""))).filter(Number.isFinite);
}

const LINK =
  "[\"'”’`]?\\s*(?:(?:(?:is|are|was|equals|should be|must be|set|to|as|value|exactly)" +
  "(?![\\p{L}\\p{N}])|[=:→])\\s*){1,4}";
const VALUE =
  "(?:\"([^\"\\n]{0,200})\"|“([^”\\n]{0,200})”|'([^'\\n]{0,200})'|`([^`\\n]{0,200})`|" +
  `(${NAME_WORD}(?: ${NAME_WORD})*)|` +
  "(-?[\\p{L}\\p{N}_@/+-]+(?:[.:][\\p{L}\\p{N}_@/+-]+)*))";
/** A value without a verb before it has to look like one: quoted, or with a digit, dot or slash. */
const BARE_VALUE =
  '\\s+(?:"([^"\\n]{0,200})"|((?=\\S*[\\d./_@])[\\p{L}\\p{N}][^\\s,;"]*[\\p{L}\\p{N}]))';
const BLOCK = "\\s{1,9}(?:exactly|verbatim)?\\s{0,9}:[ \\t]*\\n([\\s\\S]+)";

/** The value a text gives to a name: `colour: teal`, `colour is "teal"`, or a block below it. */
export function namedValueIn(text: string, name: string): string | null {
  const words = name.replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2").match(/[\p{L}\p{N}]+/gu);
  if (words === null || words.length > 8 || name.length > 80) return null;
  // Most names are not in the text at all, and this is far cheaper than the patterns below.
  if (!text.toLowerCase().includes((words[0] ?? "").toLowerCase())) return null;
  const spelled = `(?<![\\p{L}\\p{N}])${words.map(eitherCase).join("[\\s_-]*")}`;
  for (const value of [BLOCK, `${LINK}${VALUE}`, BARE_VALUE]) {
    const match = new RegExp(`${spelled}${value}`, "u").exec(text);
    const found = match?.slice(1).find((group) => group !== undefined);
    if (found !== undefined) return found;
  }
  return null;
}

/** Only the name may be in any case: the value after it is told apart by its capitals. */
function eitherCase(word: string): string {
  const lower = word.toLowerCase();
  return [...lower]
    .map((letter) => {
      const upper = letter.toUpperCase();
      return upper === letter || upper.length !== 1 ? letter : `[${letter}${upper}]`;
    })
    .join("");
}
