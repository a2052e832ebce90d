import type { Theme } from "../theme.ts";
import { baseParts, SANS, SERIF } from "./base.ts";

const INK = "#3a322c";
const ACCENT = "#b1451a";
const TINT = "#fdf3ea";
const LINE = "#f0dfd0";

const parts = baseParts({
  ink: INK,
  soft: "#756759",
  accent: ACCENT,
  line: LINE,
  tint: TINT,
  mark: "#ffdcc0",
  font: SANS,
});

/** A weekend supplement: large numbers, a lead paragraph, pulled quotes. */
export const MAGAZINE: Theme = {
  id: "magazine",
  name: { en: "Magazine", zh: "暖刊" },
  about: { en: "Warm, with large numbers and pulled quotes", zh: "暖色杂志风，大号章节数字与引言" },
  colours: { ink: INK, paper: "#ffffff", accent: ACCENT },
  code: "light",
  markers: ["●", "○", "■"],
  parts: {
    ...parts,
    root: { ...parts.root, padding: "8px 6px" },
    lead: {
      padding: "0 0 1.1em",
      "border-bottom": `1px solid ${LINE}`,
      "font-size": "17px",
      color: "#6d4a35",
    },
    strong: {
      "font-weight": "bold",
      color: INK,
      "background-image": "linear-gradient(transparent 62%,#fbd9bd 62%)",
    },
    quote: {
      margin: "1.6em 0",
      padding: "18px 20px 14px",
      "border-radius": "10px",
      "background-color": TINT,
    },
    quoteText: { margin: "0 0 0.5em", color: "#6d3b20", "font-size": "16px" },
    marker: { color: ACCENT, "font-size": "0.6em", "vertical-align": "0.25em" },
    number: { color: ACCENT, "font-family": SERIF, "font-weight": "bold", "font-style": "italic" },
    codeBox: {
      ...parts.codeBox,
      "border-radius": "10px",
      "background-color": "#fbf6f1",
      border: `1px solid ${LINE}`,
    },
    table: { ...parts.table, "border-radius": "10px" },
    th: {
      padding: "10px 12px",
      "font-weight": "bold",
      color: "#8a3414",
      "background-color": "#fbe6d4",
      "border-bottom": `2px solid ${ACCENT}`,
      "min-width": "4em",
    },
    td: { padding: "9px 12px", color: INK, "border-bottom": `1px solid ${LINE}` },
    tdEven: { "background-color": "#fffaf5" },
    image: { ...parts.image, "border-radius": "10px" },
    ruleBox: { margin: "2.2em 0", "text-align": "center", "line-height": "1" },
  },
  quoteMark: {
    text: "“",
    style: {
      display: "block",
      height: "26px",
      "font-family": SERIF,
      "font-size": "48px",
      "line-height": "46px",
      overflow: "hidden",
      color: ACCENT,
    },
  },
  ruleMark: {
    text: "● ● ●",
    style: { "font-size": "8px", "letter-spacing": "6px", color: ACCENT },
  },
  headings: {
    h1: {
      box: { margin: "1.4em 0 1em", "text-align": "left", "line-height": "1.35" },
      text: { "font-size": "24px", "font-weight": "bold", color: INK },
    },
    h2: {
      box: { margin: "2.3em 0 1.1em", "text-align": "left", "line-height": "1.35" },
      before: {
        text: "00",
        style: {
          display: "block",
          margin: "0 0 4px",
          "font-family": SERIF,
          "font-size": "34px",
          "font-style": "italic",
          "font-weight": "bold",
          "line-height": "1.1",
          "letter-spacing": "0",
          color: ACCENT,
        },
      },
      text: {
        display: "inline-block",
        padding: "0 0 6px",
        "border-bottom": `3px solid ${ACCENT}`,
        "font-size": "20px",
        "font-weight": "bold",
        color: INK,
      },
    },
    h3: {
      box: { margin: "1.8em 0 0.8em", "text-align": "left", "line-height": "1.45" },
      text: {
        display: "inline-block",
        padding: "3px 12px",
        "border-radius": "4px 12px 12px 4px",
        "background-color": ACCENT,
        "font-size": "16px",
        "font-weight": "bold",
        color: "#ffffff",
      },
    },
    h4: {
      box: { margin: "1.5em 0 0.7em", "text-align": "left", "line-height": "1.5" },
      text: { "font-size": "16px", "font-weight": "bold", color: ACCENT },
    },
  },
};
