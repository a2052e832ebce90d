import { wordsOf } from "./words.ts";

const WORDS_MIN = 10;
const WORDS_MAX = 20_000;
const WORDS_PER_SENTENCE = 10;
const LONG_WORDS = 250;

const AMOUNT = /(?<![\p{L}\p{N}.])(\d{1,3}(?:,\d{3})+|\d{1,9})[\s-]+words?(?!\p{L})/iu;
const COUNTING = /\bcount\b(?:[^.\n]{0,40}?\bfrom (\d{1,9}))?[^.\n]{0,20}?\bto (\d{1,9})\b/iu;
const LONG =
  /\b(?:write|tell|generate|compose|give|explain)\b[^.\n]{0,40}\b(?:long|lengthy|detailed|essay|article|at length)\b/iu;

const STOCK = (
  "the lamp by the river keeps a steady light while small boats carry letters from one quiet " +
  "harbour to another and every letter finds a patient reader who answers with care before the " +
  "evening bell rings across the water"
).split(" ");

/** A text of the length a message asks for, or null when it names none. */
export function longTextFor(message: string): string | null {
  const scan = message.slice(0, 2_000);
  const [, first = "1", last] = COUNTING.exec(scan) ?? [];
  if (last !== undefined) return countFrom(Number(first), Number(last));
  const amount = AMOUNT.exec(scan)?.[1];
  const words = Number(amount?.replaceAll(",", "") ?? (LONG.test(scan) ? LONG_WORDS : 0));
  // "In one word" limits an answer; it does not ask for a text.
  return words < WORDS_MIN ? null : writeWords(Math.min(words, WORDS_MAX), scan);
}

function countFrom(from: number, to: number): string {
  const length = Math.min(Math.abs(to - from) + 1, WORDS_MAX);
  const step = to < from ? -1 : 1;
  return Array.from({ length }, (_, index) => from + step * index).join(", ");
}

/** Stock words with the long words of the message strewn among them, the same every time. */
function writeWords(count: number, message: string): string {
  const subjects = [...new Set(wordsOf(message).filter((word) => word.length > 4))].slice(0, 12);
  const words = Array.from({ length: count }, (_, index) => {
    const subject = index % 7 === 3 ? subjects[Math.floor(index / 7) % subjects.length] : undefined;
    const word = subject ?? STOCK[index % STOCK.length] ?? "and";
    const begins = index % WORDS_PER_SENTENCE === 0;
    const ends = (index + 1) % WORDS_PER_SENTENCE === 0 || index === count - 1;
    return `${begins ? word.charAt(0).toUpperCase() + word.slice(1) : word}${ends ? "." : ""}`;
  });
  return words.join(" ");
}
