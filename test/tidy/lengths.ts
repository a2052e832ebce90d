// How long files and functions may be, and the numbers of those that are longer.
import { isTest, lineAt, type Source } from "./source.ts";

/** Lines by path, or by path and function (`path#name`); a number may only fall. */
export type Ratchet = Record<string, number>;

export interface FunctionLength {
  name: string;
  line: number;
  lines: number;
}

const FILE_LINES_MAX = 400;
const TEST_FILE_LINES_MAX = 800;
const FUNCTION_LINES_MAX = 70;
/** How far before its parameters a function's name is looked for. */
const NAME_CHARACTERS_MAX = 200;

/** Words that stand before parentheses and a brace without making a function. */
const STATEMENTS = new Set(["if", "for", "while", "switch", "catch", "with", "await"]);

export function lengthProblems(sources: Source[], ratchet: Ratchet): string[] {
  const tooLong = new Map<string, { lines: number; max: number }>();
  const note = (key: string, lines: number, max: number) => {
    // Two functions of one name in one file share a number, that of the longer.
    const longest = Math.max(lines, tooLong.get(key)?.lines ?? 0);
    if (lines > max) tooLong.set(key, { lines: longest, max });
  };
  for (const source of sources) {
    const max = isTest(source.path) ? TEST_FILE_LINES_MAX : FILE_LINES_MAX;
    note(source.path, source.text.replace(/\n$/, "").split("\n").length, max);
    if (!/^(?:src|web)\//.test(source.path) || isTest(source.path)) continue;
    for (const { name, lines } of functionLengths(source)) {
      note(`${source.path}#${name}`, lines, FUNCTION_LINES_MAX);
    }
  }
  const problems: string[] = [];
  for (const [key, { lines, max }] of tooLong) {
    const allowed = ratchet[key];
    if (allowed === undefined) problems.push(`${key} has ${lines} lines, more than ${max}`);
    else if (lines > allowed) problems.push(`${key} grew from ${allowed} to ${lines} lines`);
  }
  for (const [key, allowed] of Object.entries(ratchet)) {
    const lines = tooLong.get(key)?.lines;
    if (lines === undefined) problems.push(`${key} is no longer too long: remove it`);
    else if (lines < allowed) problems.push(`${key} has ${lines} lines: lower it from ${allowed}`);
  }
  return problems;
}

/** Every function, method and arrow with a block, from the line of its parameters to its last brace. */
export function functionLengths({ code }: Source): FunctionLength[] {
  const closers = matchBrackets(code);
  const found: FunctionLength[] = [];
  for (const [open, close] of closers) {
    if (code[open] !== "(") continue;
    const before = code.slice(Math.max(0, open - NAME_CHARACTERS_MAX), open).trimEnd();
    const word = /[\w$#]+$/.exec(before.replace(/<[^<>()]*>$/, ""))?.[0] ?? "";
    if (STATEMENTS.has(word)) continue;
    const body = bodyAfter(code, close + 1, closers);
    if (body === undefined) continue;
    const line = lineAt(code, open);
    const end = closers.get(body) ?? body;
    found.push({ name: nameOf(before, word), line, lines: lineAt(code, end) - line + 1 });
  }
  return found.sort((a, b) => a.line - b.line);
}

function nameOf(before: string, word: string): string {
  if (word !== "" && word !== "function" && word !== "async") return word;
  const assigned = /([\w$#]+)\s*(?::[^;{}()]*)?[=:]\s*(?:async\s*)?(?:function\s*\*?\s*)?$/;
  return assigned.exec(before)?.[1] ?? "anonymous";
}

/**
 * The brace that opens the body of a function whose parameters end before `start`, if they do belong
 * to one. Between the two may stand a return type, which may have braces of its own.
 */
function bodyAfter(code: string, start: number, closers: Map<number, number>): number | undefined {
  const mark = skipSpace(code, start);
  if (code[mark] === "{") return mark;
  if (code.startsWith("=>", mark)) return blockAfterArrow(code, mark);
  if (code[mark] !== ":") return undefined;
  let angles = 0;
  let previous = ":";
  for (let at = mark + 1; at < code.length; at++) {
    const character = code[at] ?? "";
    if (character.trim() === "") continue;
    if (code.startsWith("=>", at)) {
      const block = blockAfterArrow(code, at);
      if (angles === 0 && block !== undefined) return block;
      at += 1;
    } else if (character === "<") angles += 1;
    else if (character === ">") angles -= 1;
    else if (angles === 0 && ";,)]}=".includes(character)) return undefined;
    // A brace after a word or a closing bracket ends the type; elsewhere it belongs to it.
    else if (angles === 0 && character === "{" && /[\w$>\]})"]/.test(previous)) return at;
    else if ("({[".includes(character)) at = closers.get(at) ?? at;
    previous = character === "=" ? "=" : (code[at] ?? "");
  }
  return undefined;
}

function blockAfterArrow(code: string, arrow: number): number | undefined {
  const next = skipSpace(code, arrow + 2);
  return code[next] === "{" ? next : undefined;
}

function skipSpace(code: string, at: number): number {
  const space = /\s*/y;
  space.lastIndex = at;
  space.exec(code);
  return space.lastIndex;
}

/** The closing bracket of each opening one. */
function matchBrackets(code: string): Map<number, number> {
  const closers = new Map<number, number>();
  const open: number[] = [];
  for (const match of code.matchAll(/[(){}[\]]/g)) {
    if ("({[".includes(match[0])) open.push(match.index);
    else {
      const start = open.pop();
      if (start !== undefined) closers.set(start, match.index);
    }
  }
  return closers;
}
