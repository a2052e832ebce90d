// The room of a request that nobody sized, with bounds of the test's own.
import type { Model, PriceVersion } from "../../../src/catalogue/models.ts";
import { Room } from "../../../src/gateway/money/room.ts";
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
export function roomFor(
  candidates: readonly { readonly model: Model; readonly priced: PriceVersion }[],
  { held, choices = 1, maxOutput, input, searches = 0 }: Bounds,
): Room {
  const sizes = new Map<Model, Size>();
  for (const { model, priced } of candidates) {
    const output = Math.min(maxOutput ?? model.maxOutput, model.maxOutput) * choices;
    const { rates } = priced;
    const read = input ?? model.context;
    sizes.set(model, { rates, input: read, output, answers: choices, searches, fee: 0n });
  }
  return new Room(held, sizes);
}
