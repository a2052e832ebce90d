import type { MarginLine } from "../../../src/console/operator/contract/ledger.ts";
import { addDecimals } from "../../lib/decimal.ts";

/** The sum of what is known; null where nothing is. */
function sumKnown(amounts: readonly (string | null)[]): string | null {
  const known = amounts.filter((amount) => amount !== null);
  return known.length > 0 || amounts.length === 0 ? addDecimals("0", ...known) : null;
}

export function totalsOf(lines: readonly MarginLine[]) {
  return {
    charged: addDecimals("0", ...lines.map(({ charged }) => charged)),
    loss: addDecimals("0", ...lines.map(({ loss }) => loss)),
    overage: addDecimals("0", ...lines.map(({ overage }) => overage)),
    listCost: sumKnown(lines.map(({ list_cost }) => list_cost)),
    margin: sumKnown(lines.map(({ margin }) => margin)),
    unpriced: addDecimals("0", ...lines.map(({ unpriced }) => unpriced)),
    unpricedModels: [...new Set(lines.flatMap((line) => line.unpriced_models))].toSorted(),
  };
}

export const SPANS = ["1", "7", "30"] as const;
export type Span = (typeof SPANS)[number];

/** What the address says, where it says something that is offered. */
export function spanOf(text: string | undefined): Span {
  return SPANS.find((span) => span === text) ?? "7";
}
