// What all themes have in common, so that each one says only what makes it different.
import type { Style } from "../tree.ts";

export const SANS =
  "-apple-system,BlinkMacSystemFont,'Helvetica Neue','PingFang SC','Hiragino Sans GB','Microsoft YaHei',Arial,sans-serif";
export const SERIF =
  "Georgia,'Times New Roman','Songti SC',STSong,'Noto Serif SC','Source Han Serif SC',SimSun,serif";
export const MONO = "Menlo,Consolas,'Courier New',monospace";

interface Ink {
  readonly ink: string;
  readonly soft: string;
  readonly accent: string;
  readonly line: string;
  readonly tint: string;
  /** Behind words that are highlighted. */
  readonly mark: string;
  readonly font: string;
}

/**
 * Chinese letters need more air than Latin ones: wide lines, a little space between letters, and
 * both edges straight. Latin text without hyphens would get holes from the last two.
 */
function rootParts({ ink, font }: Ink) {
  return {
    root: {
      margin: "0",
      padding: "8px 4px",
      "font-family": font,
      "font-size": "16px",
      "line-height": "1.8",
      "letter-spacing": "0.5px",
      color: ink,
      "text-align": "justify",
      "word-break": "normal",
      "overflow-wrap": "break-word",
    },
    /** On top of `root` where the text is not Chinese. */
    rootLatin: { "letter-spacing": "0", "text-align": "left", "line-height": "1.7" },
  } satisfies Record<string, Style>;
}

function textParts({ ink, soft, accent, tint, mark }: Ink) {
  return {
    p: { margin: "0 0 1.1em", color: ink },
    /** On top of `p` for the first paragraph, if the article begins with one. */
    lead: {},
    strong: { "font-weight": "bold", color: ink },
    em: { "font-style": "italic" },
    del: { "text-decoration": "line-through", color: soft },
    underline: { "text-decoration": "underline", "text-underline-offset": "3px" },
    mark: {
      "background-color": mark,
      color: ink,
      padding: "1px 3px",
      "border-radius": "3px",
    },
    /** The small letters above others that say how those are read. */
    reading: { "font-size": "0.55em", "letter-spacing": "0", "font-weight": "normal" },
    link: { color: accent, "text-decoration": "none" },
    code: {
      "font-family": MONO,
      "font-size": "0.875em",
      "letter-spacing": "0",
      color: accent,
      "background-color": tint,
      padding: "2px 5px",
      "border-radius": "4px",
      "word-break": "break-all",
    },
    quote: {
      margin: "0 0 1.2em",
      padding: "14px 16px",
      "border-left": `3px solid ${accent}`,
      "background-color": tint,
    },
    quoteInner: { margin: "10px 0 0", padding: "0 0 0 12px", "border-left": `2px solid ${accent}` },
    quoteText: { margin: "0 0 0.5em", color: ink },
    /** Below the colours of its kind. */
    alert: { margin: "1.3em 0", padding: "12px 16px", "border-radius": "4px" },
    alertTitle: { margin: "0 0 0.4em" },
    list: { margin: "0 0 1.1em" },
    item: { margin: "0 0 0.45em", color: ink },
    marker: { color: accent },
    number: { color: accent, "font-weight": "bold" },
    task: { color: accent },
  } satisfies Record<string, Style>;
}

function boxParts({ ink, soft, line, tint }: Ink) {
  return {
    codeBox: {
      margin: "0 0 1.3em",
      "border-radius": "6px",
      overflow: "hidden",
      "background-color": "#f6f8fa",
      border: "1px solid #e4e8ec",
    },
    codeBar: {},
    codeName: {},
    pre: {
      margin: "0",
      padding: "14px 16px",
      "font-family": MONO,
      "font-size": "13px",
      "line-height": "1.65",
      "letter-spacing": "0",
      "text-align": "left",
      color: "#24292f",
      "white-space": "pre",
      "overflow-x": "auto",
      "-webkit-overflow-scrolling": "touch",
    },
    tableBox: { margin: "0 0 1.3em", "overflow-x": "auto", "-webkit-overflow-scrolling": "touch" },
    table: {
      width: "100%",
      "border-collapse": "collapse",
      "font-size": "14px",
      "line-height": "1.6",
      "text-align": "left",
    },
    th: {
      padding: "9px 12px",
      "font-weight": "bold",
      color: ink,
      "background-color": tint,
      border: `1px solid ${line}`,
      "min-width": "4em",
    },
    td: { padding: "8px 12px", color: ink, border: `1px solid ${line}` },
    tdEven: {},
    figure: { margin: "0 0 1.3em", "text-align": "center" },
    image: { "max-width": "100%", height: "auto", "vertical-align": "middle" },
    caption: {
      margin: "8px 0 0",
      "font-size": "13px",
      "line-height": "1.5",
      "text-align": "center",
      color: soft,
    },
    ruleBox: { margin: "2em 0", "border-top": `1px solid ${line}` },
  } satisfies Record<string, Style>;
}

function formulaParts({ ink }: Ink) {
  return {
    formula: {
      margin: "0 0 1.1em",
      "overflow-x": "auto",
      "-webkit-overflow-scrolling": "touch",
      "text-align": "center",
      color: ink,
    },
    // Around what is wider than a phone. Its lower edge is what stands on the line, so that the drawing's own place is given to the box.
    formulaScroll: {
      display: "inline-block",
      "max-width": "100%",
      "overflow-x": "auto",
      "overflow-y": "hidden",
      "-webkit-overflow-scrolling": "touch",
      "line-height": "0",
      "text-indent": "0",
    },
    formulaSource: { "font-family": MONO, "font-size": "0.875em", "letter-spacing": "0" },
  } satisfies Record<string, Style>;
}

function noteParts({ ink, soft, accent, line }: Ink) {
  return {
    reference: {
      "font-size": "0.7em",
      "line-height": "0",
      "vertical-align": "super",
      color: accent,
      margin: "0 1px",
    },
    notes: { margin: "2.4em 0 0", padding: "16px 0 0", "border-top": `1px solid ${line}` },
    notesTitle: { margin: "0 0 10px", "font-size": "14px", "font-weight": "bold", color: ink },
    note: {
      margin: "0 0 6px",
      padding: "0 0 0 2.4em",
      "text-indent": "-2.4em",
      "font-size": "13px",
      "line-height": "1.6",
      "text-align": "left",
      "letter-spacing": "0",
      color: soft,
    },
    noteNumber: { display: "inline-block", width: "2.4em", "text-indent": "0", color: accent },
    noteAddress: { "word-break": "break-all", color: soft },
  } satisfies Record<string, Style>;
}

export function baseParts(ink: Ink) {
  return {
    ...rootParts(ink),
    ...textParts(ink),
    ...boxParts(ink),
    ...formulaParts(ink),
    ...noteParts(ink),
  };
}
