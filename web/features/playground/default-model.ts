import type { Model } from "../../../src/console/contract/models.ts";
import { toUnits } from "../../lib/decimal.ts";

/** A chat reads about so many times what it writes: all that was said is sent again with each message. */
const INPUT_SHARE = 3n;

function dearness({ price }: Model): bigint | undefined {
  return price ? toUnits(price.input) * INPUT_SHARE + toUnits(price.output) : undefined;
}

/** The cheapest, since whoever tries something out has not chosen yet; none that is about to end. */
export function defaultModel(models: readonly Model[]): Model | undefined {
  const staying = models.filter(({ deprecates_on }) => deprecates_on === null);
  const [first, ...others] = staying.length > 0 ? staying : models;
  if (!first) return undefined;
  return others.reduce((best, model) => {
    const [a, b] = [dearness(model), dearness(best)];
    return a !== undefined && (b === undefined || a < b) ? model : best;
  }, first);
}
