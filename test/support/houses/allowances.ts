// The room of a request that nobody sized, with bounds of the test's own.
import { NO_LEEWAY } from "../../../src/admission/judge.ts";
import type { Model, PriceVersion } from "../../../src/catalogue/models.ts";
import { worstCase } from "../../../src/catalogue/money.ts";
import { Allowance } from "../../../src/gateway/money/allowance.ts";
import type { Size } from "../../../src/gateway/money/sizing.ts";

interface Bounds {
  readonly held: bigint;
  readonly choices?: number;
  /** Of each choice. */
  readonly maxOutput?: number | undefined;
  readonly input?: number;
  readonly searches?: number;
}

/** Wide enough for whatever the models can do, but for what the bounds say. */
export function allowanceFor(
  candidates: readonly { readonly model: Model; readonly priced: PriceVersion }[],
  { held, choices = 1, maxOutput, input, searches = 0 }: Bounds,
): Allowance {
  const sizes: Size[] = [];
  for (const { model, priced } of candidates) {
    const output = Math.min(maxOutput ?? model.maxOutput, model.maxOutput) * choices;
    const { rates } = priced;
    const read = input ?? model.context;
    const quantities = { input: read, output, webSearches: searches };
    const worst = worstCase(rates, quantities);
    sizes.push({ model, rates, input: read, output, answers: choices, searches, fee: 0n, worst });
  }
  return new Allowance(held, sizes, NO_LEEWAY, false);
}
