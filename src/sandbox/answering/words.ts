/** Words that say nothing about the subject of a sentence, so sharing them means nothing. */
const STOP_WORDS = new Set(
  (
    "a an the and or but if then so as at by for from in into of on onto to up with without " +
    "is are was were be been being am do does did done doing has have had having can could " +
    "will would shall should may might must not no yes it its this that these those there " +
    "here i me my mine we us our ours you your yours he him his she her hers they them their " +
    "what which who whom whose when where why how all any each some such only own same than " +
    "too very just also please tell give get got let use using used call called calling make " +
    "made about again now ok okay hi hello hey im ive id one"
  ).split(" "),
);

const WORD = /\p{sc=Han}+|[\p{L}\p{M}\p{N}]+/gu;

/** Lower-case words; names such as `findItem` come apart, ideographs come in pairs. */
export function wordsOf(text: string): string[] {
  const apart = text.replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2").replace(/['’](?=\p{L})/gu, "");
  return (apart.match(WORD) ?? []).flatMap((match) =>
    /^\p{sc=Han}{2,}$/u.test(match) ? pairsOf(match) : [match.toLowerCase()],
  );
}

function pairsOf(run: string): string[] {
  const characters = [...run];
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}

function stemOf(word: string): string {
  for (const ending of ["ing", "ies", "ed", "es", "s", "ly"]) {
    if (word.endsWith(ending) && word.length - ending.length >= 3) {
      return word.slice(0, -ending.length).replace(/e$/, "");
    }
  }
  return word.length > 3 ? word.replace(/e$/, "") : word;
}

/** The distinct stems of the words that carry meaning. */
export function stemsOf(text: string): Set<string> {
  const telling = wordsOf(text).filter(
    (word) => !STOP_WORDS.has(word) && (word.length > 1 || /\p{N}/u.test(word)),
  );
  return new Set(telling.map(stemOf));
}

export function countShared(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  const [fewer, more] = left.size < right.size ? [left, right] : [right, left];
  let shared = 0;
  for (const stem of fewer) if (more.has(stem)) shared += 1;
  return shared;
}

export function sentencesOf(text: string): string[] {
  return text
    .split(/(?<=[。！？])|(?<=[.!?]["'”’)]?)\s+|\n+/u)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== "");
}

/** Cuts at a word boundary where there is one, and shows that it cut. */
export function crop(text: string, charsMax: number): string {
  // Only the head is looked at, as a message may be megabytes long.
  const flat = text
    .slice(0, charsMax * 8)
    .replace(/\s+/g, " ")
    .trim();
  if (flat.length <= charsMax) return flat;
  const head = flat.slice(0, charsMax - 1);
  const space = head.lastIndexOf(" ");
  return `${space > charsMax / 2 ? head.slice(0, space) : head}…`;
}
