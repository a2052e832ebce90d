import { markersIn, quotedIn } from "./mentions.ts";
import { sentencesOf } from "./words.ts";

const SPEAKING = /\b(?:say|repeat|echo|reply|respond|answer|output|print|write|return|type)\b/giu;
const NOUN =
  "words?|phrase|text|string|sentence|token|message|marker|code|line|number|letters?|name";
/** A word that goes on behind a hyphen is part of a name, such as a code. */
const WORD_END = "(?!-?[\\p{L}\\p{N}])";
const FILLER = new RegExp(
  `^\\s*(?:back|to me|after me|exactly|precisely|only|just|verbatim|with|this|literally|` +
    `(?:the|this|these|a|one)?\\s*(?:exact|single|following|literal|one)?\\s*(?:${NOUN})|` +
    `the following|the exact|by saying|nothing but|(?:and )?nothing (?:else|more)|[:,—-])` +
    WORD_END,
  "iu",
);
const INSISTS = /exactly|precisely|only|just|verbatim|with|literally|:|following|nothing but/i;
const OPENING = /^["“'‘`]/u;

/** Words that begin a description of what to say rather than the thing itself. */
const DESCRIBES = new RegExp(
  "^(?:the|a|an|my|your|our|his|her|its|their|what|which|whatever|who|how|if|when|whether|in|" +
    "as|using|that|from|of|for|about|you|i|we|it|something|anything|some|valid|json|yes or no|" +
    "no more|at most|at least|(?:\\d+|one|two|three|four|five|ten) (?:\\w+ )?" +
    "(?:words?|sentences?|lines?|items?|paragraphs?))" +
    WORD_END,
  "iu",
);
const TRAILING = new RegExp(
  "[\\s,;—-]*(?:\\(?\\b(?:and|then|with|without|but|in)\\s+)?(?:nothing (?:else|more)|" +
    "no (?:other|extra|additional|punctuation|explanation|quotes|commentary)\\b.*|" +
    "(?:any|other|extra) (?:other )?(?:words?|text|punctuation|commentary)\\b.*|" +
    "(?:one|a single) word|please)\\)?[.!]*$",
  "iu",
);
const LITERAL_CHARS_MAX = 2_000;
/** A long message is read from its end, where the request stands. */
const SCAN_CHARS_MAX = 8_000;

/** The text that a message asks to hear back word for word, or null. */
export function literalRequestIn(message: string): string | null {
  const text = message.slice(-SCAN_CHARS_MAX);
  for (const match of text.matchAll(SPEAKING)) {
    const sentence =
      text
        .slice(0, match.index)
        .split(/[.!?\n]\s*/)
        .at(-1) ?? "";
    if (/^\s*(?:if|when|whenever|once|after|unless)\b/iu.test(sentence)) continue;
    if (/\b(?:not|never|don't|don’t|did|you|i|to)\s*$/iu.test(sentence)) continue;
    const literal = literalAfter(match[0].toLowerCase(), text.slice(match.index + match[0].length));
    if (literal !== null) return literal;
  }
  return null;
}

function literalAfter(verb: string, rest: string): string | null {
  let left = rest;
  let skipped = "";
  for (let match = FILLER.exec(left); match !== null; match = FILLER.exec(left)) {
    skipped += match[0];
    left = left.slice(match[0].length);
  }
  left = left.trimStart();
  if (OPENING.test(left)) {
    const quoted = quotedIn(left)[0];
    if (quoted !== undefined) return quoted;
  }
  const insists = INSISTS.test(skipped) || ["say", "repeat", "echo"].includes(verb);
  if (!insists || left === "" || DESCRIBES.test(left)) return null;
  const whole = /:\s*$/.test(skipped) ? (left.split("\n")[0] ?? "") : (sentencesOf(left)[0] ?? "");
  const literal = whole.slice(0, LITERAL_CHARS_MAX).replace(TRAILING, "").replace(/[.!]$/u, "");
  return literal.trim() === "" ? null : literal.trim();
}

interface Decoration {
  readonly place: "start" | "end";
  readonly text: string;
}

const AT_START = /\b(?:begin|start|prefix|open)\b/iu;
const AT_END = /\b(?:end|finish|close|append|include|mention|contain|add|insert|sign)\b/iu;

/** Standing orders such as `end every answer with "…"`, from instructions or the message. */
export function decorationsIn(text: string): Decoration[] {
  const decorations: Decoration[] = [];
  for (const sentence of sentencesOf(text)) {
    if (/^(?:if|when|whenever|unless)\b/iu.test(sentence) || sentence.endsWith("?")) continue;
    if (/\b(?:not|never|don't|don’t)\b/iu.test(sentence)) continue;
    const place = AT_START.test(sentence) ? "start" : AT_END.test(sentence) ? "end" : null;
    if (place === null) continue;
    const literal = quotedIn(sentence)[0] ?? markersIn(sentence)[0];
    if (literal !== undefined) decorations.push({ place, text: literal });
  }
  return decorations;
}

export function decorate(text: string, decorations: readonly Decoration[]): string {
  let decorated = text;
  for (const { place, text: literal } of decorations) {
    if (place === "start" && !decorated.startsWith(literal)) decorated = `${literal} ${decorated}`;
    if (place === "end" && !decorated.includes(literal)) decorated = `${decorated} ${literal}`;
  }
  return decorated;
}
