import type { Theme } from "../theme.ts";
import { baseParts, MONO, SANS } from "./base.ts";

const INK = "#1f2933";
const ACCENT = "#2f4fc4";
const LINE = "#d9e0ea";
const TINT = "#f1f4fb";
const NIGHT = "#1b2130";

const parts = baseParts({
  ink: INK,
  soft: "#5d6878",
  accent: ACCENT,
  line: LINE,
  tint: TINT,
  mark: "#fff0b3",
  font: SANS,
});

/** For articles in which the code is the point. */
export const ENGINEER: Theme = {
  id: "engineer",
  name: { en: "Engineer", zh: "工程" },
  about: {
    en: "Dark code and clear tables, for technical posts",
    zh: "深色代码与清晰表格，适合技术文章",
  },
  colours: { ink: INK, paper: "#ffffff", accent: ACCENT },
  code: "dark",
  markers: ["▪", "▫", "–"],
  parts: {
    ...parts,
    root: { ...parts.root, "font-size": "15px", "line-height": "1.75" },
    code: { ...parts.code, color: "#b0255f", "background-color": "#f4f1f6" },
    quote: {
      margin: "0 0 1.3em",
      padding: "12px 16px",
      "border-radius": "6px",
      border: "1px solid #c9d4f2",
      "border-left": `4px solid ${ACCENT}`,
      "background-color": TINT,
    },
    codeBox: {
      margin: "0 0 1.4em",
      "border-radius": "8px",
      overflow: "hidden",
      "background-color": NIGHT,
    },
    codeBar: {
      padding: "10px 14px 2px",
      "line-height": "1",
      "text-align": "left",
      "background-color": NIGHT,
    },
    codeName: {
      float: "right",
      "font-family": MONO,
      "font-size": "11px",
      "line-height": "11px",
      "letter-spacing": "0.5px",
      color: "#9aa6bd",
    },
    pre: { ...parts.pre, padding: "10px 16px 16px", color: "#dfe5f1", "background-color": NIGHT },
    th: {
      padding: "9px 12px",
      "font-weight": "bold",
      color: "#ffffff",
      "background-color": ACCENT,
      border: `1px solid ${ACCENT}`,
      "min-width": "4em",
    },
    tdEven: { "background-color": "#f6f8fc" },
    image: {
      ...parts.image,
      "border-radius": "6px",
      border: `1px solid ${LINE}`,
      "box-sizing": "border-box",
    },
  },
  headings: {
    h1: {
      box: { margin: "1.4em 0 1em", "line-height": "1.4", "text-align": "left" },
      text: { "font-size": "22px", "font-weight": "bold", color: INK },
    },
    h2: {
      box: {
        margin: "2.1em 0 1em",
        padding: "0 0 8px",
        "border-bottom": `2px solid ${LINE}`,
        "line-height": "1.4",
        "text-align": "left",
      },
      before: {
        text: "## ",
        style: { "font-family": MONO, "font-size": "16px", "font-weight": "bold", color: ACCENT },
      },
      text: { "font-size": "19px", "font-weight": "bold", color: INK },
    },
    h3: {
      box: { margin: "1.7em 0 0.8em", "line-height": "1.45", "text-align": "left" },
      before: {
        text: "### ",
        style: { "font-family": MONO, "font-size": "14px", "font-weight": "bold", color: ACCENT },
      },
      text: { "font-size": "17px", "font-weight": "bold", color: INK },
    },
    h4: {
      box: { margin: "1.5em 0 0.7em", "line-height": "1.5", "text-align": "left" },
      text: { "font-size": "15px", "font-weight": "bold", color: ACCENT },
    },
  },
};
