import { quotedIn } from "./mentions.ts";
import { sentencesOf } from "./words.ts";

/** A long message is read from its end, where the request stands. */
const SCAN_CHARS_MAX = 8_000;
const LITERAL_CHARS_MAX = 2_000;
const SPEAKING = /(?<![\p{L}-])(?:say|repeat|echo|reply|respond|answer|output|print|return)\b/giu;
const FILLER =
  /^\s*(?:back|after me|exactly|precisely|only|just|verbatim|with|(?:the |this )?(?:exact |following |single |one )*(?:words?|phrase|text|string|sentence|code)|nothing but|(?:and )?nothing (?:else|more)|[:,—-])(?!-?[\p{L}\p{N}])/iu;
const INSISTS = /exactly|precisely|only|just|verbatim|with|:|nothing but/i;
/** Words that begin a description of what to say rather than the thing itself. */
const DESCRIBES =
  /^(?:the|an?|my|your|our|its|their|what|which|who|how|if|when|in|as|that|from|of|for|about|to|you|i|we|it|something|anything|some|valid|json|yes or no|no more|at most|at least|\d+ \w+)(?!-?[\p{L}\p{N}])/iu;
const TRAILING =
  /[\s,;—-]*(?:\(?\b(?:and|then|with|without|but|in)\s+)?(?:nothing (?:else|more)|no (?:other|extra)\b.*|(?:any|other) .*|exactly one word|(?:one|a single) word|please)\)?[.!]*$/iu;

/** The text that a message asks to hear back word for word, or null. */
export function literalRequestIn(message: string): string | null {
  const text = message.slice(-SCAN_CHARS_MAX);
  for (const match of text.matchAll(SPEAKING)) {
    const before = text.slice(Math.max(0, match.index - 200), match.index);
    const sentence = before.split(/[.!?\n]\s*/).at(-1) ?? "";
    if (/^\s*(?:if|when|whenever|once|after|unless)\b/iu.test(sentence)) continue;
    if (/\b(?:not|never|don't|don’t|did|you|i|to)\s*$/iu.test(sentence)) continue;
    const literal = literalAfter(match[0].toLowerCase(), text.slice(match.index + match[0].length));
    if (literal !== null) return literal;
  }
  return null;
}

function literalAfter(verb: string, rest: string): string | null {
  let left = rest;
  for (let match = FILLER.exec(left); match !== null; match = FILLER.exec(left)) {
    left = left.slice(match[0].length);
  }
  const skipped = rest.slice(0, rest.length - left.length);
  left = left.trimStart().slice(0, LITERAL_CHARS_MAX);
  const quoted = /^["“'‘`]/u.test(left) ? quotedIn(left.slice(0, 400))[0] : undefined;
  if (quoted !== undefined) return quoted;
  const insists = INSISTS.test(skipped) || ["say", "repeat", "echo"].includes(verb);
  if (!insists || DESCRIBES.test(left)) return null;
  const whole = /:\s*$/.test(skipped) ? left.split("\n")[0] : sentencesOf(left)[0];
  const literal = (whole ?? "").replace(TRAILING, "").replace(/[.!]$/u, "").trim();
  return literal === "" ? null : literal;
}

const STANDING =
  /\b(begin|start|end|finish)\b(?:(?!\bnot\b)[^.!?\n]){0,60}\bwith\s+(?:the word\s+)?["“'`]?([\p{L}\p{N}_-]+)/iu;

/** The answer under a standing order of the instructions, such as `end every answer with OVER`. */
export function withStandingOrder(text: string, instructions: string): string {
  const [, place = "", word = ""] = STANDING.exec(instructions) ?? [];
  if (word === "" || text.includes(word)) return text;
  return /begin|start/i.test(place) ? `${word} ${text}` : `${text} ${word}`;
}
