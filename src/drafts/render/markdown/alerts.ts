// Alerts in the manner of GitHub: `> [!NOTE]`.
import { type Dressing, part } from "../dress/dressing.ts";
import {
  type Element,
  element,
  isBlank,
  isOne,
  NO_STYLE,
  type Node,
  type Style,
  textOf,
} from "../tree.ts";

interface Alert {
  readonly en: string;
  readonly zh: string;
  /** Of its title and edge; it can be read on `paper`. */
  readonly colour: string;
  readonly paper: string;
}

/** The same in every theme: readers know them by their colours. */
const ALERTS: Readonly<Record<string, Alert>> = {
  note: { en: "Note", zh: "说明", colour: "#0b57a4", paper: "#eef5fc" },
  tip: { en: "Tip", zh: "提示", colour: "#1a6b3c", paper: "#eef8f1" },
  important: { en: "Important", zh: "重要", colour: "#6f3bb0", paper: "#f5f0fb" },
  warning: { en: "Warning", zh: "注意", colour: "#875400", paper: "#fdf5e2" },
  caution: { en: "Caution", zh: "警告", colour: "#b3261e", paper: "#fdefee" },
};

interface FoundAlert {
  readonly alert: Alert;
  /** What is said, without the mark. */
  readonly rest: readonly Node[];
}

/** An alert, where a quote begins as one. */
export function alertIn(nodes: readonly Node[]): FoundAlert | undefined {
  const start = nodes.findIndex((node) => !isBlank(node));
  const first = nodes[start];
  if (!isOne(first, "p")) return undefined;
  const [text, ...others] = first.children;
  if (typeof text !== "string") return undefined;
  const found = /^\s*\[!(\w+)\][ \t]*\n?/.exec(text);
  const alert = ALERTS[found?.[1]?.toLowerCase() ?? ""];
  if (!found || !alert) return undefined;
  const said = element("p", first.style, [text.slice(found[0].length), ...others]);
  const isEmpty = textOf(said.children).trim() === "";
  return { alert, rest: [...(isEmpty ? [] : [said]), ...nodes.slice(start + 1)] };
}

export function alertStyle({ colour, paper }: Alert, { theme }: Dressing): Style {
  return {
    ...theme.parts.alert,
    "border-left": `4px solid ${colour}`,
    "background-color": paper,
  };
}

/** The word that readers know it by. */
export function alertTitle({ en, zh, colour }: Alert, dressing: Dressing): Element {
  const word = element("strong", NO_STYLE, [dressing.chinese ? zh : en]);
  return part(dressing, "alertTitle", "p", [word], { color: colour });
}
