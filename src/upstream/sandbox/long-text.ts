import { COUNT_PATTERN, readCount, wordsOf } from "./words.ts";

const WORDS_MIN = 10;
const WORDS_MAX = 20_000;
const WORDS_PER_SENTENCE = 10;
const SENTENCES_PER_PARAGRAPH = 5;
const LONG_WORDS = 250;

const AMOUNT = new RegExp(
  `(?<![\\p{L}\\p{N}.])(${COUNT_PATTERN})[\\s-]+(?:\\p{L}+[\\s-]+){0,2}?` +
    "((?:word|sentence|paragraph|line|item|point|bullet|fact|example|idea|name|tip|step|reason|" +
    "thing)s?)(?!\\p{L})",
  "iu",
);
const COUNTING = new RegExp(
  `\\bcount\\b.*?(${COUNT_PATTERN})\\s*(?:to|-|–|through|until)\\s*(${COUNT_PATTERN})(?!\\p{L})`,
  "iu",
);
const COUNTING_UP = new RegExp(`\\bcount(?: up)? to (${COUNT_PATTERN})(?!\\p{L})`, "iu");
const WRITING = new RegExp(
  "\\b(?:write|list|give|tell|name|generate|compose|produce|create|make|draft|say|explain|" +
    "describe|show|in|about)\\b",
  "iu",
);
const LONG = /\b(?:long|lengthy|detailed|essay|article|in depth|in detail)\b/iu;

const STOCK = (
  "the lamp by the river keeps a steady light while small boats carry letters from one quiet " +
  "harbour to another and every letter finds a patient reader who answers with care before the " +
  "evening bell rings across the water"
).split(" ");

/** A text of the length a message asks for, or null when it names none. */
export function longTextFor(message: string): string | null {
  const scan = message.slice(0, 2_000);
  const counting = COUNTING.exec(scan);
  if (counting !== null) return countFrom(counting[1] ?? "1", counting[2] ?? "1");
  const up = COUNTING_UP.exec(scan);
  if (up !== null) return countFrom("1", up[1] ?? "1");
  if (!WRITING.test(scan)) return null;
  const amount = AMOUNT.exec(scan);
  if (amount === null) return LONG.test(scan) ? writeWords(LONG_WORDS, scan) : null;
  const count = readCount(amount[1] ?? "") ?? 1;
  const unit = (amount[2] ?? "").toLowerCase();
  // "In one word" limits an answer; it does not ask for a text.
  if (unit.startsWith("word") && count < WORDS_MIN) return null;
  return writeAmount(count, unit, scan);
}

function countFrom(first: string, last: string): string {
  const from = readCount(first) ?? 1;
  const to = readCount(last) ?? from;
  const length = Math.min(Math.abs(to - from) + 1, WORDS_MAX);
  const step = to < from ? -1 : 1;
  return Array.from({ length }, (_, index) => from + step * index).join(", ");
}

function writeAmount(count: number, unit: string, message: string): string {
  if (unit.startsWith("word")) return writeWords(count, message);
  if (unit.startsWith("sentence")) return writeSentences(count, message).join(" ");
  if (unit.startsWith("paragraph")) {
    const sentences = writeSentences(count * SENTENCES_PER_PARAGRAPH, message);
    const paragraphs: string[] = [];
    for (let start = 0; start < sentences.length; start += SENTENCES_PER_PARAGRAPH) {
      paragraphs.push(sentences.slice(start, start + SENTENCES_PER_PARAGRAPH).join(" "));
    }
    return paragraphs.join("\n\n");
  }
  const lines = writeSentences(count, message);
  return lines.map((line, index) => `${index + 1}. ${line}`).join("\n");
}

function writeWords(count: number, message: string): string {
  const words = takeWords(Math.max(1, Math.min(count, WORDS_MAX)), message);
  const sentences: string[] = [];
  for (let start = 0; start < words.length; start += WORDS_PER_SENTENCE) {
    sentences.push(sentenceOf(words.slice(start, start + WORDS_PER_SENTENCE)));
  }
  return sentences.join(" ");
}

function writeSentences(count: number, message: string): string[] {
  const length = Math.max(1, Math.min(count, WORDS_MAX / WORDS_PER_SENTENCE));
  const words = takeWords(length * WORDS_PER_SENTENCE, message);
  return Array.from({ length }, (_, index) =>
    sentenceOf(words.slice(index * WORDS_PER_SENTENCE, (index + 1) * WORDS_PER_SENTENCE)),
  );
}

/** Stock words with the long words of the message strewn among them, the same every time. */
function takeWords(count: number, message: string): string[] {
  const subjects = [...new Set(wordsOf(message).filter((word) => word.length > 4))].slice(0, 12);
  return Array.from({ length: count }, (_, index) => {
    const subject = index % 7 === 3 ? subjects[Math.floor(index / 7) % subjects.length] : undefined;
    return subject ?? STOCK[index % STOCK.length] ?? "and";
  });
}

function sentenceOf(words: readonly string[]): string {
  const text = words.join(" ");
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
}
