/** Marks that belong to what stands before them, so that no line begins with one. */
const NO_START = /^[，。、；：？！）】》〉」』〕〗｝”’…—～·%％℃,.;:?!)\]}〞々ー]/u;
/** Marks that belong to what follows, so that no line ends with one. */
const NO_END = /[（【《〈「『〔〖｛“‘([{$￥#＃]$/u;
const PICTOGRAPH =
  /\p{Extended_Pictographic}|\p{Regional_Indicator}|\p{Emoji_Modifier}|\u200d|\ufe0f|\u20e3/gu;
const PLAIN = /^[0-9#*©®™]$/u;
const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uffef]/u;

/** A piece that no line break may divide. */
interface Piece {
  readonly text: string;
  /** Whether a break behind it would fall inside a word. */
  readonly midWord: boolean;
}

const CHARACTERS = new Intl.Segmenter("zh", { granularity: "grapheme" });
const WORDS = new Intl.Segmenter("zh", { granularity: "word" });

/** The text without what the shipped fonts cannot draw, on one line. */
export function drawable(text: string): string {
  return text
    .replace(PICTOGRAPH, (mark) => (PLAIN.test(mark) ? mark : ""))
    .replace(/[\p{C}\s]+/gu, " ")
    .trim();
}

/** The pieces of one word: Chinese divides anywhere if it must, other writing not at all. */
function piecesOf(word: string): Piece[] {
  if (!WIDE.test(word)) return [{ text: word, midWord: false }];
  const characters = [...CHARACTERS.segment(word)].map(({ segment }) => segment);
  return characters.map((text, index) => ({ text, midWord: index < characters.length - 1 }));
}

/** Pieces that marks keep together are one. */
function joined(pieces: readonly Piece[]): Piece[] {
  const found: Piece[] = [];
  for (const piece of pieces) {
    const last = found.at(-1);
    if (last !== undefined && (NO_START.test(piece.text) || NO_END.test(last.text))) {
      found[found.length - 1] = { text: last.text + piece.text, midWord: piece.midWord };
    } else found.push(piece);
  }
  return found;
}

/** Words of other writings stay whole with their marks: "GPT-4o", "Node.js", "C++". */
function wordsOf(text: string): string[] {
  const words: string[] = [];
  for (const { segment } of WORDS.segment(text)) {
    const last = words.at(-1);
    const sticks =
      last !== undefined && !/\s/.test(last + segment) && !WIDE.test(last) && !WIDE.test(segment);
    if (sticks) words[words.length - 1] = last + segment;
    else words.push(segment);
  }
  return words;
}

/** A word that is wider than a line is divided, there being no better way. */
function divided(piece: Piece, widthMax: number, measure: (text: string) => number): Piece[] {
  if (measure(piece.text) <= widthMax) return [piece];
  const parts: string[] = [];
  for (const { segment } of CHARACTERS.segment(piece.text)) {
    const longer = (parts.at(-1) ?? "") + segment;
    if (parts.length > 0 && measure(longer) <= widthMax) parts[parts.length - 1] = longer;
    else parts.push(segment);
  }
  return parts.map((text, index) => ({ text, midWord: index < parts.length - 1 }));
}

/** What a break costs, beside the unevenness that it makes. */
const MID_WORD_COST = 0.3;
const PARTICLE_COST = 0.15;
const CLAUSE_GAIN = 0.1;
/** Small words that cling to what stands before them. */
const PARTICLE = /^[的了着过吗呢吧们地得]/u;
const CLAUSE_END = /[，。；：？！、,;:?!—…]$/u;

function breakCost(before: Piece | undefined, after: Piece | undefined): number {
  if (before === undefined || after === undefined) return 0;
  const cling = PARTICLE.test(after.text) ? PARTICLE_COST : 0;
  const clause = CLAUSE_END.test(before.text) ? CLAUSE_GAIN : 0;
  return (before.midWord ? MID_WORD_COST : 0) + cling - clause;
}

interface Broken {
  readonly lines: readonly string[];
  /** How many of them end inside a word. */
  readonly cuts: number;
}

/**
 * Lines of about the same width, none wider than the most, divided between words where that costs
 * little. The best of all divisions is found from the end of the text to its beginning.
 */
export function breakLines(
  text: string,
  widthMax: number,
  measure: (text: string) => number,
): Broken {
  const pieces = joined(wordsOf(text).flatMap(piecesOf)).flatMap((piece) =>
    divided(piece, widthMax, measure),
  );
  const lineOf = (from: number, to: number) =>
    pieces
      .slice(from, to)
      .map(({ text }) => text)
      .join("")
      .trim();
  const ideal = measure(text) / Math.max(1, Math.ceil(measure(text) / widthMax));
  /** For each beginning: the fewest lines, then the least cost, and where the first line ends. */
  const best: { lines: number; cost: number; end: number }[] = [];
  best[pieces.length] = { lines: 0, cost: 0, end: pieces.length };
  for (let from = pieces.length - 1; from >= 0; from -= 1) {
    for (let end = from + 1; end <= pieces.length; end += 1) {
      const width = measure(lineOf(from, end));
      if (width > widthMax && end > from + 1) break;
      const rest = best[end];
      if (rest === undefined) continue;
      const uneven = ((width - ideal) / widthMax) ** 2;
      const price = uneven + breakCost(pieces[end - 1], pieces[end]);
      const found = { lines: rest.lines + 1, cost: rest.cost + price, end };
      const held = best[from];
      const fewer = held === undefined || found.lines < held.lines;
      if (fewer || (found.lines === held.lines && found.cost < held.cost)) best[from] = found;
    }
  }
  return readBest(pieces, best, lineOf);
}

function readBest(
  pieces: readonly Piece[],
  best: readonly { readonly end: number }[],
  lineOf: (from: number, to: number) => string,
): Broken {
  const lines: string[] = [];
  let cuts = 0;
  for (let from = 0; from < pieces.length; ) {
    const end = best[from]?.end ?? pieces.length;
    lines.push(lineOf(from, end));
    if (end < pieces.length && pieces[end - 1]?.midWord) cuts += 1;
    from = end;
  }
  return { lines: lines.filter((line) => line !== ""), cuts };
}
