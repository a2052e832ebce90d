import type { Theme } from "../theme.ts";
import { baseParts, SANS } from "./base.ts";

const INK = "#2f3437";
const ACCENT = "#0d6b5e";
const TINT = "#eef6f4";

const parts = baseParts({
  ink: INK,
  soft: "#646b70",
  accent: ACCENT,
  line: "#dfe5e3",
  tint: TINT,
  mark: "#d3efe8",
  font: SANS,
});

/** The default: quiet, with one green and much white. */
export const CALM: Theme = {
  id: "calm",
  name: { en: "Calm", zh: "素雅" },
  about: { en: "Quiet and light, for any subject", zh: "安静清爽，适合各类文章" },
  colours: { ink: INK, paper: "#ffffff", accent: ACCENT },
  code: "light",
  markers: ["•", "◦", "▪"],
  parts: {
    ...parts,
    strong: { "font-weight": "bold", color: ACCENT },
    quote: { ...parts.quote, "border-radius": "0 6px 6px 0" },
    image: { ...parts.image, "border-radius": "6px" },
  },
  headings: {
    h1: {
      box: { margin: "1.6em 0 1em", "text-align": "center", "line-height": "1.4" },
      text: { "font-size": "22px", "font-weight": "bold", color: INK },
    },
    h2: {
      box: { margin: "2em 0 1em", "line-height": "1.4", "text-align": "left" },
      before: {
        text: "\u00a0",
        style: {
          display: "inline-block",
          width: "5px",
          height: "1.05em",
          margin: "0 10px 0 0",
          "line-height": "1.05em",
          "vertical-align": "-0.14em",
          "border-radius": "3px",
          "background-color": ACCENT,
          "font-size": "19px",
        },
      },
      text: { "font-size": "19px", "font-weight": "bold", color: INK },
    },
    h3: {
      box: { margin: "1.7em 0 0.8em", "line-height": "1.45", "text-align": "left" },
      text: { "font-size": "17px", "font-weight": "bold", color: ACCENT },
    },
    h4: {
      box: { margin: "1.4em 0 0.6em", "line-height": "1.5", "text-align": "left" },
      text: { "font-size": "16px", "font-weight": "bold", color: INK },
    },
  },
};
