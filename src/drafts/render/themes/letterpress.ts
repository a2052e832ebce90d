import type { Theme } from "../theme.ts";
import { baseParts, SERIF } from "./base.ts";

const INK = "#2b2622";
const ACCENT = "#8a2b36";
const PAPER = "#fdfbf6";
const LINE = "#e2d9c9";

const parts = baseParts({
  ink: INK,
  soft: "#6b6158",
  accent: ACCENT,
  line: LINE,
  tint: "#f6f0e4",
  mark: "#f5e1b8",
  font: SERIF,
});

/** A page of a book: serifs, warm paper, ornaments instead of colour. */
export const LETTERPRESS: Theme = {
  id: "letterpress",
  name: { en: "Letterpress", zh: "书卷" },
  about: { en: "Serifs on warm paper, for essays", zh: "衬线字体与暖色纸面，适合随笔与长文" },
  colours: { ink: INK, paper: PAPER, accent: ACCENT },
  code: "light",
  markers: ["·", "–", "·"],
  parts: {
    ...parts,
    root: {
      ...parts.root,
      padding: "24px 18px",
      "background-color": PAPER,
      "line-height": "1.9",
    },
    p: { ...parts.p, margin: "0 0 1.2em" },
    strong: { "font-weight": "bold", color: ACCENT },
    quote: {
      margin: "1.6em 0",
      padding: "16px 8px",
      "border-top": `1px solid ${LINE}`,
      "border-bottom": `1px solid ${LINE}`,
      "background-color": PAPER,
    },
    quoteInner: { margin: "10px 0 0", padding: "0 0 0 14px", "border-left": `1px solid ${ACCENT}` },
    quoteText: { margin: "0 0 0.5em", color: "#5b4f45", "font-size": "15px" },
    marker: { color: ACCENT, "font-weight": "bold" },
    number: { color: ACCENT, "font-style": "italic" },
    codeBox: {
      ...parts.codeBox,
      "border-radius": "2px",
      "background-color": "#f8f3e9",
      border: `1px solid ${LINE}`,
    },
    table: {
      ...parts.table,
      "border-top": `2px solid ${INK}`,
      "border-bottom": `2px solid ${INK}`,
    },
    th: {
      padding: "9px 10px",
      "font-weight": "bold",
      color: INK,
      "background-color": "#f6f0e4",
      "border-bottom": `1px solid ${INK}`,
      "min-width": "4em",
    },
    td: { padding: "8px 10px", color: INK, "border-bottom": `1px solid ${LINE}` },
    image: {
      ...parts.image,
      padding: "6px",
      border: `1px solid ${LINE}`,
      "box-sizing": "border-box",
    },
    caption: { ...parts.caption, "font-style": "italic" },
    ruleBox: { margin: "2.2em 0", "text-align": "center", "line-height": "1" },
  },
  ruleMark: {
    text: "＊　＊　＊",
    style: { "font-size": "13px", "letter-spacing": "2px", color: ACCENT },
  },
  headings: {
    h1: {
      box: { margin: "1.4em 0 1.2em", "text-align": "center", "line-height": "1.45" },
      text: { "font-size": "23px", "font-weight": "bold", color: INK },
    },
    h2: {
      box: { margin: "2.4em 0 1.3em", "text-align": "center", "line-height": "1.5" },
      text: {
        display: "block",
        "font-size": "20px",
        "font-weight": "bold",
        "letter-spacing": "1px",
        color: INK,
      },
      after: {
        text: "— ◆ —",
        style: {
          display: "block",
          margin: "8px 0 0",
          "font-size": "11px",
          "font-weight": "normal",
          "line-height": "1",
          color: ACCENT,
        },
      },
    },
    h3: {
      box: { margin: "1.8em 0 0.8em", "text-align": "left", "line-height": "1.5" },
      before: {
        text: "§ ",
        style: { "font-size": "17px", "font-weight": "normal", color: ACCENT },
      },
      text: { "font-size": "17px", "font-weight": "bold", color: INK },
    },
    h4: {
      box: { margin: "1.5em 0 0.7em", "text-align": "left", "line-height": "1.5" },
      text: { "font-size": "16px", "font-weight": "bold", "font-style": "italic", color: ACCENT },
    },
  },
};
