// Blanks out what only looks like code: comments, strings, templates and regular expressions.

interface Masked {
  code: string;
  uncommented: string;
}

const COMMENT = /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/y;
const STRING = /"(?:\\[\s\S]|[^"\\\n])*"?|'(?:\\[\s\S]|[^'\\\n])*'?/y;
const REGULAR_EXPRESSION = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/y;
const TEMPLATE_CHUNK = /(?:\\[\s\S]|\$(?!\{)|[^\\`$])*(?:`|\$\{|$)/y;
const WORD = /[\w$]+/y;

/** After one of these a slash begins a regular expression; after anything else it divides. */
const BEFORE_EXPRESSION = new Set([..."(,=:[!&|?{};+-*%<>~^", ""]);
const WORDS_BEFORE_EXPRESSION = new Set(["return", "typeof", "case", "in", "of", "await", "yield"]);

/** Both results are as long as `text`, with the same line ends; strings keep their quotes in `code`. */
export function maskSource(text: string): Masked {
  const code = text.split("");
  const uncommented = text.split("");
  // One entry for each template that is open: how many braces are open in its expression.
  const templates: number[] = [];
  let previous = "";
  let at = 0;

  const take = (pattern: RegExp): string => {
    pattern.lastIndex = at;
    return pattern.exec(text)?.[0] ?? "";
  };
  const skipTemplateChunk = () => {
    const chunk = take(TEMPLATE_CHUNK);
    const opens = chunk.endsWith("${");
    blank(code, at, at + chunk.length - (opens ? 2 : 1));
    at += chunk.length;
    if (opens) templates.push(0);
    previous = opens ? "{" : "`";
  };
  const step = () => {
    const character = text[at] ?? "";
    const comment = take(COMMENT);
    if (comment !== "") {
      blank(code, at, at + comment.length);
      blank(uncommented, at, at + comment.length);
      at += comment.length;
      return;
    }
    const literal = take(STRING) || (expressionMayFollow(previous) ? take(REGULAR_EXPRESSION) : "");
    if (literal !== "") {
      blank(code, at + 1, at + literal.length - 1);
      at += literal.length;
      previous = '"';
      return;
    }
    if (character === "`" || (character === "}" && templates.at(-1) === 0)) {
      if (character === "}") templates.pop();
      at += 1;
      skipTemplateChunk();
      return;
    }
    const open = templates.length - 1;
    if (open >= 0 && character === "{") templates[open] = (templates[open] ?? 0) + 1;
    if (open >= 0 && character === "}") templates[open] = (templates[open] ?? 0) - 1;
    const word = take(WORD) || character;
    if (word.trim() !== "") previous = word;
    at += word.length;
  };
  while (at < text.length) step();
  return { code: code.join(""), uncommented: uncommented.join("") };
}

function expressionMayFollow(previous: string): boolean {
  return BEFORE_EXPRESSION.has(previous) || WORDS_BEFORE_EXPRESSION.has(previous);
}

function blank(characters: string[], start: number, end: number): void {
  for (let index = start; index < end; index++) {
    if (characters[index] !== "\n") characters[index] = " ";
  }
}
