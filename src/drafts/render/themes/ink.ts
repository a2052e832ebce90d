import type { Theme } from "../theme.ts";
import { baseParts, SANS } from "./base.ts";

const INK = "#1a1a1a";
const LINE = "#dcdcdc";

const parts = baseParts({
  ink: INK,
  soft: "#666666",
  accent: INK,
  line: LINE,
  tint: "#f5f5f5",
  mark: "#e6e6e6",
  font: SANS,
});

/** Black on white and nothing else, for those whose pictures bring the colour. */
export const INK_THEME: Theme = {
  id: "ink",
  name: { en: "Ink", zh: "水墨" },
  about: { en: "Black on white, lets pictures speak", zh: "黑白极简，突出图片" },
  colours: { ink: INK, paper: "#ffffff", accent: INK },
  code: "light",
  markers: ["—", "–", "·"],
  parts: {
    ...parts,
    p: { ...parts.p, margin: "0 0 1.25em" },
    link: { color: INK, "text-decoration": "underline", "text-underline-offset": "3px" },
    quote: {
      margin: "1.6em 0",
      padding: "2px 0 2px 18px",
      "border-left": `2px solid ${INK}`,
      "background-color": "#ffffff",
    },
    quoteText: { margin: "0 0 0.5em", color: "#555555" },
    codeBox: { ...parts.codeBox, "border-radius": "0" },
    th: {
      padding: "9px 10px",
      "font-weight": "bold",
      color: INK,
      "background-color": "#f5f5f5",
      "border-bottom": `2px solid ${INK}`,
      "min-width": "4em",
    },
    td: { padding: "8px 10px", color: INK, "border-bottom": `1px solid ${LINE}` },
    ruleBox: { margin: "2.4em auto", width: "64px", "border-top": `2px solid ${INK}` },
  },
  headings: {
    h1: {
      box: { margin: "1.4em 0 1em", "text-align": "left", "line-height": "1.35" },
      text: { "font-size": "24px", "font-weight": "bold", color: INK },
    },
    h2: {
      box: {
        margin: "2.4em 0 1.1em",
        padding: "14px 0 0",
        "border-top": `4px solid ${INK}`,
        "text-align": "left",
        "line-height": "1.4",
      },
      text: { "font-size": "20px", "font-weight": "bold", color: INK },
    },
    h3: {
      box: { margin: "1.8em 0 0.8em", "text-align": "left", "line-height": "1.45" },
      text: { "font-size": "17px", "font-weight": "bold", color: INK },
    },
    h4: {
      box: { margin: "1.5em 0 0.7em", "text-align": "left", "line-height": "1.5" },
      text: {
        "font-size": "15px",
        "font-weight": "bold",
        "letter-spacing": "1px",
        color: "#555555",
      },
    },
  },
};
