import { codePoints, widthUnits } from "../../wechat/measure.ts";
import { isBlank } from "../../wechat/seen.ts";
import type { CompiledArticle } from "../article/compile.ts";
import type { Finding } from "./preflight.ts";

/** Characters are the platform's written limit; units are where live accounts were seen to refuse. */
interface LineRule {
  readonly field: "title" | "author" | "digest";
  readonly charsMax: number;
  /** A newer revision of the platform's page takes fewer. */
  readonly charsAdvised: number;
  readonly unitsMax: number;
}

const RULES: readonly LineRule[] = [
  { field: "title", charsMax: 32, charsAdvised: 32, unitsMax: 64 },
  { field: "author", charsMax: 16, charsAdvised: 16, unitsMax: 16 },
  { field: "digest", charsMax: 128, charsAdvised: 120, unitsMax: 240 },
];

const CONTROL = /\p{Cc}/u;
const ESCAPE = /\\u[0-9a-fA-F]{4}/;

function lengthProblem(rule: LineRule, text: string): Finding | undefined {
  const { field, charsMax, charsAdvised, unitsMax } = rule;
  const found = codePoints(text);
  const fix = { kind: "shorten" } as const;
  if (found > charsMax) {
    const message = `The ${field} has ${found} characters; at most ${charsMax} are taken.`;
    const facts = { code: `${field}_too_long`, field, limit: charsMax, found };
    return { severity: "error", ...facts, message, fix };
  }
  const units = widthUnits(text);
  if (units > unitsMax) {
    const message =
      `The ${field} is ${units} half-widths wide (a Chinese character counts two); some accounts ` +
      `refuse over ${unitsMax}.`;
    const facts = { code: `${field}_wide`, field, limit: unitsMax, found: units };
    return { severity: "warning", ...facts, message, fix };
  }
  if (found <= charsAdvised) return undefined;
  const message = `The ${field} has ${found} characters; newer rules of the platform take ${charsAdvised}.`;
  const facts = { code: `${field}_long`, field, limit: charsAdvised, found };
  return { severity: "warning", ...facts, message, fix };
}

function characterProblems(field: string, text: string): Finding[] {
  const problems: Finding[] = [];
  if (CONTROL.test(text)) {
    const value = text.replace(/\p{Cc}+/gu, " ").trim();
    const message = `The ${field} has line breaks or other control characters.`;
    const fix = { kind: "trim", value } as const;
    problems.push({ severity: "error", code: `${field}_control`, field, message, fix });
  }
  if (ESCAPE.test(text)) {
    const value = text.replace(/\\u([0-9a-fA-F]{4})/g, (_all, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
    const message = `The ${field} has characters written as \\uXXXX, which would be shown like that.`;
    const fix = { kind: "decode_escapes", value } as const;
    problems.push({ severity: "error", code: `${field}_escaped`, field, message, fix });
  }
  return problems;
}

/** Title, author and digest: their lengths, and what must not stand in one line. */
export function lineProblems(article: CompiledArticle, isOnlyArticle: boolean): Finding[] {
  const problems: Finding[] = [];
  if (isBlank(article.title)) {
    const message = "The article needs a title.";
    problems.push({ severity: "error", code: "title_empty", field: "title", message });
  }
  for (const rule of RULES) {
    const text = article[rule.field];
    const length = lengthProblem(rule, text);
    if (length) problems.push(length);
    problems.push(...characterProblems(rule.field, text));
  }
  if (article.digest !== "" && !isOnlyArticle) {
    const message = "A draft of several articles shows no digest.";
    const fix = { kind: "clear" } as const;
    const field = "digest";
    problems.push({ severity: "info", code: "digest_unused", field, message, fix });
  }
  return problems;
}
