import { isFromUser, type PromptStep } from "../reading/prompt.ts";
import { countShared, sentencesOf, stemsOf } from "./words.ts";

const SCAN_CHARS_MAX = 60_000;
const ASKING =
  /[?？]|^\s*(?:what|who|whose|which|where|when|why|how|tell|remind|do you|did i)\b|什么|哪|谁|吗|几|多少/iu;
const ABOUT_SPEAKER = /(?<!\p{L})(?:i|my|me)(?!\p{L})|我/iu;
/** Sentences that only say how to answer. */
const ABOUT_ANSWER = /^(?:please )?(?:reply|respond|answer|return|output)\b/iu;
const WANTS_VALUE = /\b(?:just|only)\b/iu;
const LAST_WORD = /(?<![\p{L}\p{N}_-])[\p{L}\p{N}_-]+(?=[.!]*$)/u;

/**
 * The earlier sentence that shares most words with what is asked now, or its last word where no more is wanted.
 * Null where nothing is asked.
 */
export function recall(steps: readonly PromptStep[], message: string): string | null {
  const sentences = sentencesOf(message.slice(-SCAN_CHARS_MAX));
  const question = sentences.findLast((sentence) => ASKING.test(sentence));
  if (question === undefined) return null;
  const wanted = stemsOf(question);
  const said = [...earlierSentences(steps), ...sentences].filter(
    (sentence) => !/[?？]["”’)]?$/u.test(sentence) && !ABOUT_ANSWER.test(sentence),
  );
  let best: string | null = null;
  let bestScore = 1;
  for (const sentence of said) {
    const score = countShared(wanted, stemsOf(sentence));
    if (score < bestScore || sentence === question) continue;
    best = sentence;
    bestScore = score;
  }
  // `Where do I live?` shares no word with `My house is in Rome.`
  const personal = ABOUT_SPEAKER.test(question) ? said : [];
  const found = best ?? personal.findLast((sentence) => ABOUT_SPEAKER.test(sentence));
  if (found === undefined) return null;
  const value = WANTS_VALUE.test(message) ? found.match(LAST_WORD)?.[0] : null;
  return value ?? `From what was said: “${found.slice(0, 180)}”`;
}

/** What was said before the last message; the model's own words, often only an echo, come before the others. */
function earlierSentences(steps: readonly PromptStep[]): string[] {
  const last = steps.findLastIndex(isFromUser);
  const own: string[] = [];
  const others: string[] = [];
  let chars = 0;
  for (const step of steps.slice(0, Math.max(last, 0)).toReversed()) {
    if (step.kind === "call" || chars >= SCAN_CHARS_MAX) continue;
    const isOwn = step.kind === "message" && step.role === "assistant";
    (isOwn ? own : others).push(step.text.slice(0, SCAN_CHARS_MAX - chars));
    chars += step.text.length;
  }
  return [...own.toReversed(), ...others.toReversed()].flatMap(sentencesOf);
}
