import type { SKRSContext2D } from "@napi-rs/canvas";
import { BOLD, loadCardFonts, REGULAR } from "./card-fonts.ts";
import { CARD_HEIGHT, CARD_WIDTH, type CardLook, cardLook } from "./card-looks.ts";
import { writePng } from "./formats/png-writer.ts";
import { breakLines, drawable } from "./line-breaking.ts";
import { type PictureFile, toFile } from "./picture.ts";
import { canvasLibrary } from "./pixels.ts";

export interface TitleCard {
  readonly title: string;
  readonly author?: string | undefined;
  /** Of the article; the card is drawn to go with it. */
  readonly theme?: string | undefined;
}

/** Everything that is written stands within the square in the middle, which is a cover of its own. */
const TEXT_WIDTH = 322;
const TITLE_HEIGHT_MAX = 236;
const LINE_HEIGHT = 1.34;
const SIZES = [76, 68, 60, 54, 48, 44, 40, 36, 33, 30, 27, 24, 21, 19];
/** Down to this size a long word makes the title smaller; below, it is divided. */
const WHOLE_WORD_SIZE_MIN = 30;
const AUTHOR_SIZE = 19;
const BAR = { width: 34, height: 4, gap: 22 };
const AUTHOR_GAP = 20;
/** Widths go with the size, so text is measured at one size for all of them. */
const MEASURED_SIZE = 100;

/** More than this never has room, whatever it is written in. */
const TITLE_CHARS_MAX = 400;
/** A title may be so many sizes smaller than there is room for, if that keeps its words whole. */
const SIZES_GIVEN_UP_MAX = 2;

interface Setting {
  readonly size: number;
  readonly lines: readonly string[];
}

function measurer(pen: SKRSContext2D, font: string): (text: string) => number {
  const known = new Map<string, number>();
  return (text) => {
    const held = known.get(text);
    if (held !== undefined) return held;
    pen.font = `${MEASURED_SIZE}px "${font}"`;
    const { width } = pen.measureText(text);
    known.set(text, width);
    return width;
  };
}

/** The longest beginning that fits with a mark that something is left out. */
function shortened(text: string, widthMax: number, measure: (text: string) => number): string {
  if (measure(text) <= widthMax) return text;
  let beginning = "";
  // From its start on: what is left out may be many times what has room.
  for (const character of text) {
    if (measure(`${beginning}${character}…`) > widthMax) break;
    beginning += character;
  }
  return `${beginning.trimEnd()}…`;
}

function roomFor(size: number): number {
  return Math.floor(TITLE_HEIGHT_MAX / (size * LINE_HEIGHT));
}

/** The title with its end left out, where even the smallest size has no room for all. */
function setShortened(title: string, measure: (text: string) => number): Setting {
  const size = SIZES.at(-1) ?? AUTHOR_SIZE;
  const widthMax = (TEXT_WIDTH * MEASURED_SIZE) / size;
  const kept = roomFor(size) - 1;
  const { lines } = breakLines(title, widthMax, measure);
  const last = shortened(lines.slice(kept).join(""), widthMax, measure);
  return { size, lines: [...lines.slice(0, kept), last] };
}

/** The largest size at which the title has room, or a little less where that divides no word. */
function setTitle(title: string, measure: (text: string) => number): Setting {
  const longestWord = Math.max(0, ...title.split(/[^!-~]+/).map(measure));
  const fitting: (Setting & { cuts: number })[] = [];
  for (const size of SIZES) {
    const widthMax = (TEXT_WIDTH * MEASURED_SIZE) / size;
    if (size > WHOLE_WORD_SIZE_MIN && longestWord > widthMax) continue;
    if (measure(title) > widthMax * roomFor(size)) continue;
    const { lines, cuts } = breakLines(title, widthMax, measure);
    if (lines.length > roomFor(size)) continue;
    fitting.push({ size, lines, cuts });
    if (cuts === 0 || fitting.length > SIZES_GIVEN_UP_MAX) break;
  }
  const [best] = fitting.toSorted((one, other) => one.cuts - other.cuts);
  return best ?? setShortened(title, measure);
}

/** A full-width mark at an edge is half empty; the line is moved so that the eye finds it centred. */
function opticalShift(line: string, size: number): number {
  const start = /^[（【《〈「『〔“‘]/u.test(line) ? 1 : 0;
  const end = /[，。、；：？！）】》〉」』〕”’]$/u.test(line) ? 1 : 0;
  return ((end - start) * size) / 4;
}

function write(pen: SKRSContext2D, look: CardLook, setting: Setting, author: string): void {
  const { size, lines } = setting;
  const titleHeight = lines.length * size * LINE_HEIGHT;
  const authorHeight = author === "" ? 0 : AUTHOR_GAP + AUTHOR_SIZE;
  const middle = CARD_WIDTH / 2;
  let top = (CARD_HEIGHT - (BAR.height + BAR.gap + titleHeight + authorHeight)) / 2;
  pen.fillStyle = look.accent;
  pen.beginPath();
  pen.roundRect(middle - BAR.width / 2, top, BAR.width, BAR.height, BAR.height / 2);
  pen.fill();
  top += BAR.height + BAR.gap;
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.fillStyle = look.title;
  pen.font = `${size}px "${BOLD}"`;
  for (const line of lines) {
    pen.fillText(line, middle + opticalShift(line, size), top + (size * LINE_HEIGHT) / 2);
    top += size * LINE_HEIGHT;
  }
  if (author === "") return;
  pen.fillStyle = look.author;
  pen.font = `${AUTHOR_SIZE}px "${REGULAR}"`;
  pen.fillText(author, middle, top + AUTHOR_GAP + AUTHOR_SIZE / 2);
}

/** A cover of the wide shape that says the title. */
export async function drawTitleCard(card: TitleCard): Promise<PictureFile> {
  const { createCanvas } = await canvasLibrary();
  await loadCardFonts();
  const canvas = createCanvas(CARD_WIDTH, CARD_HEIGHT);
  const pen = canvas.getContext("2d");
  const look = cardLook(card.theme);
  look.paint(pen);
  const title = [...drawable(card.title)].slice(0, TITLE_CHARS_MAX).join("");
  const setting = setTitle(title, measurer(pen, BOLD));
  const authorWidth = (TEXT_WIDTH * MEASURED_SIZE) / AUTHOR_SIZE;
  const name = [...drawable(card.author ?? "")].slice(0, TITLE_CHARS_MAX).join("");
  const author = shortened(name, authorWidth, measurer(pen, REGULAR));
  write(pen, look, setting, author);
  const size = { width: CARD_WIDTH, height: CARD_HEIGHT };
  const { data } = pen.getImageData(0, 0, CARD_WIDTH, CARD_HEIGHT);
  return toFile(await writePng(data, size), "png", "title-card.png", size, []);
}
