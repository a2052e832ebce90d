const SPOKEN: readonly [RegExp, string][] = [
  [/\bplus\b/giu, "+"],
  [/\bminus\b/giu, "-"],
  [/\b(?:times|multiplied by)\b/giu, "*"],
  [/\bdivided by\b/giu, "/"],
  [/(?<=\d)\s*[x×]\s*(?=\d)/giu, "*"],
  [/÷/gu, "/"],
];
const NUMBER = "-?\\d+(?:\\.\\d+)?";
const EXPRESSION = new RegExp(`(?<![\\w.])${NUMBER}(?:\\s*[-+*/]\\s*${NUMBER})+(?![\\w])`, "u");
const SCAN_CHARS_MAX = 2_000;

interface Sum {
  readonly expression: string;
  readonly value: number;
}

/** The first sum in a text and its value. A bare date such as `2026-01-15` is not a sum. */
export function sumIn(text: string): Sum | null {
  let plain = text.slice(0, SCAN_CHARS_MAX);
  for (const [spoken, sign] of SPOKEN) plain = plain.replace(spoken, sign);
  const expression = EXPRESSION.exec(plain)?.[0];
  if (expression === undefined || /^\d+(?:-\d+)+$/u.test(expression)) return null;
  const value = evaluate(expression);
  return Number.isFinite(value) ? { expression: expression.trim(), value } : null;
}

/** Products before sums, both from left to right. */
function evaluate(expression: string): number {
  const pieces = expression.matchAll(/([-+*/])?\s*(-?\d+(?:\.\d+)?)/gu);
  const terms: number[] = [];
  for (const [, sign = "+", digits = "0"] of pieces) {
    const value = Number(digits);
    const last = terms.length - 1;
    if (sign === "*") terms[last] = (terms[last] ?? 0) * value;
    else if (sign === "/") terms[last] = (terms[last] ?? 0) / value;
    else terms.push(sign === "-" ? -value : value);
  }
  const total = terms.reduce((sum, term) => sum + term, 0);
  return Math.round(total * 1e9) / 1e9;
}
