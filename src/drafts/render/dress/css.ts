// Reads a style attribute by a list of what may stand in it; anything else is left out.
import type { Style } from "../tree.ts";

/** Each covers its longhands too: `border` stands for `border-top-color`. */
const FAMILIES =
  "background border flex font list-style margin overflow padding text-decoration".split(" ");

const PROPERTIES = new Set(
  `align-items align-self box-shadow box-sizing clear color column-gap direction display fill float
   gap height justify-content letter-spacing line-height max-height max-width min-height min-width
   object-fit opacity overflow-wrap row-gap stroke stroke-width table-layout text-align text-indent
   text-shadow text-transform text-underline-offset transform transform-origin vertical-align
   visibility white-space width word-break word-spacing word-wrap writing-mode
   -webkit-overflow-scrolling`.split(/\s+/),
);

const FUNCTIONS = new Set(
  `rgb rgba hsl hsla calc min max clamp linear-gradient radial-gradient translate translatex
   translatey rotate scale scalex scaley skewx skewy`.split(/\s+/),
);

/** What a value is made of. A backslash is in none of them, so nothing can be spelled in disguise. */
const WORDS = [
  /[+-]?(?:\d+\.?\d*|\.\d+)(?:%|[a-z]+)?/iy,
  /#[\da-f]{3,8}\b/iy,
  /"[^"\\\n<>]*"|'[^'\\\n<>]*'/y,
  /[,/+*-]/y,
  /!\s*important\b/iy,
];
const NAME = /-?[a-z_\u0080-\uffff][\w\u0080-\uffff-]*/iy;
const SPACE = /\s+/y;
/** The only pictures that a style may name: those that the platform keeps itself. */
const PICTURE = /url\(\s*(["']?)(https:\/\/mmbiz\.(?:qpic|qlogo)\.cn\/[\w./?=&%#-]*)\1\s*\)/iy;

const DECLARATION_LENGTH_MAX = 2_000;

/** Declarations that may stay, by property; the last of two wins, in the place of the first. */
export function readStyle(text: string, onLeftOut?: (property: string) => void): Style {
  const style: Record<string, string> = {};
  for (const declaration of split(text)) {
    const colon = declaration.indexOf(":");
    const property = declaration.slice(0, colon).trim().toLowerCase();
    const value = declaration.slice(colon + 1).trim();
    if (colon > 0 && isAllowed(property) && isValue(value)) style[property] = tidy(value);
    else if (colon > 0) onLeftOut?.(property);
  }
  return style;
}

function isAllowed(property: string): boolean {
  if (PROPERTIES.has(property)) return true;
  if (!/^[a-z-]+$/.test(property)) return false;
  return FAMILIES.some((family) => property === family || property.startsWith(`${family}-`));
}

/** Semicolons inside quotes and parentheses divide nothing. */
function split(text: string): string[] {
  const parts: string[] = [];
  let part = "";
  let quote = "";
  let depth = 0;
  for (const character of text.replace(/\/\*[\s\S]*?(?:\*\/|$)/g, " ")) {
    if (quote !== "") quote = character === quote ? "" : quote;
    else if (character === '"' || character === "'") quote = character;
    else if (character === "(") depth += 1;
    else if (character === ")") depth -= 1;
    if (character === ";" && quote === "" && depth <= 0) {
      parts.push(part);
      part = "";
      depth = 0;
    } else part += character;
  }
  return [...parts, part].filter(({ length }) => length <= DECLARATION_LENGTH_MAX);
}

function isValue(value: string): boolean {
  let at = 0;
  let depth = 0;
  const take = (pattern: RegExp): string => {
    pattern.lastIndex = at;
    const found = pattern.exec(value)?.[0] ?? "";
    at += found.length;
    return found;
  };
  while (at < value.length) {
    if (take(SPACE) !== "" || take(PICTURE) !== "") continue;
    const name = take(NAME);
    if (name !== "") {
      if (value[at] !== "(") continue;
      if (!FUNCTIONS.has(name.toLowerCase())) return false;
      at += 1;
      depth += 1;
    } else if (value[at] === ")") {
      at += 1;
      depth -= 1;
      if (depth < 0) return false;
    } else if (!WORDS.some((word) => take(word) !== "")) return false;
  }
  return value !== "" && depth === 0;
}

/** Single quotes, since double ones cost six characters each in an attribute. */
function tidy(value: string): string {
  return value.replace(/"([^"']*)"/g, "'$1'").replace(/\s+/g, " ");
}
