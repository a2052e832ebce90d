import type { MarginLine } from "../../../src/console/operator/contract/ledger.ts";
import { addDecimals } from "../../lib/decimal.ts";

/** A sum in which one number that is not known makes the sum unknown. */
function sumKnown(amounts: readonly (string | null)[]): string | null {
  const known = amounts.filter((amount) => amount !== null);
  return known.length === amounts.length ? addDecimals("0", ...known) : null;
}

export function totalsOf(lines: readonly MarginLine[]) {
  return {
    charged: addDecimals("0", ...lines.map(({ charged }) => charged)),
    loss: addDecimals("0", ...lines.map(({ loss }) => loss)),
    overage: addDecimals("0", ...lines.map(({ overage }) => overage)),
    listCost: sumKnown(lines.map(({ list_cost }) => list_cost)),
    margin: sumKnown(lines.map(({ margin }) => margin)),
  };
}

export const SPANS = ["1", "7", "30"] as const;
export type Span = (typeof SPANS)[number];

/** What the address says, where it says something that is offered. */
export function spanOf(text: string | undefined): Span {
  return SPANS.find((span) => span === text) ?? "7";
}
