import type { Turn } from "./prompt.ts";
import { countShared, sentencesOf, stemsOf } from "./words.ts";

const SCAN_CHARS_MAX = 60_000;
const ASKING = new RegExp(
  "[?？]|^\\s*(?:what|who|whom|whose|which|where|when|why|how|tell|recall|remind|state|name|" +
    "give|repeat|do you|did i|can you|could you|please)\\b|什么|哪|谁|吗|几|多少",
  "iu",
);
const ABOUT_SPEAKER = /(?<!\p{L})(?:i|i'm|i’m|im|my|me)(?!\p{L})|我/iu;
/** Sentences that only say how to answer. */
const ABOUT_ANSWER = /^(?:please )?(?:reply|respond|answer|return|output)\b/iu;
/** How much a sentence weighs by who said it: a model's own words are often only an echo. */
const WEIGHTS = { user: 1, system: 0.95, result: 1, assistant: 0.8 } as const;

interface Candidate {
  readonly sentence: string;
  readonly weight: number;
}

/**
 * The earlier sentence of the conversation that shares most words with what is asked now. A
 * remark that is no question needs two words in common, or any chat would turn into quotations.
 */
export function recall(turns: readonly Turn[], message: string): string | null {
  const sentences = sentencesOf(message.slice(-SCAN_CHARS_MAX));
  const asking = sentences.filter((sentence) => ASKING.test(sentence));
  const question = asking.at(-1) ?? sentences.at(-1) ?? message;
  const wanted = stemsOf(question);
  const candidates = candidatesOf(turns, sentences, question);
  let best: string | null = null;
  let bestScore = asking.length > 0 ? 0 : 1.5;
  for (const { sentence, weight } of candidates) {
    const score = countShared(wanted, stemsOf(sentence)) * weight;
    if (score > bestScore || (score === bestScore && best !== null)) {
      best = sentence;
      bestScore = score;
    }
  }
  if (best !== null || asking.length === 0 || !ABOUT_SPEAKER.test(question)) return best;
  const personal = candidates.filter(({ sentence, weight }) => {
    return weight === WEIGHTS.user && ABOUT_SPEAKER.test(sentence);
  });
  return personal.at(-1)?.sentence ?? null;
}

/** Everything said so far in order, without questions and without the question itself. */
function candidatesOf(
  turns: readonly Turn[],
  messageSentences: readonly string[],
  question: string,
): Candidate[] {
  const last = turns.findLastIndex((turn) => turn.kind === "message" && turn.role === "user");
  const spoken: Candidate[][] = [];
  let chars = 0;
  for (const turn of turns.slice(0, Math.max(last, 0)).toReversed()) {
    if (chars >= SCAN_CHARS_MAX || turn.kind === "call") continue;
    const text = turn.text.slice(0, SCAN_CHARS_MAX - chars);
    chars += text.length;
    const weight = WEIGHTS[turn.kind === "result" ? "result" : turn.role];
    spoken.push(sentencesOf(text).map((sentence) => ({ sentence, weight })));
  }
  const candidates = spoken.toReversed().flat();
  for (const sentence of messageSentences) {
    if (sentence !== question) candidates.push({ sentence, weight: WEIGHTS.user });
  }
  return candidates.filter(({ sentence }) => {
    return !/[?？]["”’)]?$/u.test(sentence) && !ABOUT_ANSWER.test(sentence);
  });
}
