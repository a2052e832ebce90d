import type { RaiseWish } from "../../admission/judge.ts";
import type { Model } from "../../catalogue/models.ts";
import type { NanoUsd } from "../../catalogue/money.ts";
import { clampFor, costOf, outputCost, outputFor, type Size } from "./sizing.ts";

/** What a request may cost: so much is held for it in every scope, and perhaps more before it ends. */
export class Room {
  /** For each of the models that may answer. */
  readonly #sizes: ReadonlyMap<Model, Size>;
  #held: NanoUsd;

  constructor(held: NanoUsd, sizes: ReadonlyMap<Model, Size>) {
    this.#held = held;
    this.#sizes = sizes;
  }

  get held(): NanoUsd {
    return this.#held;
  }

  widen(amount: NanoUsd): void {
    this.#held += amount;
  }

  sizeOf(model: Model): Size {
    const size = this.#sizes.get(model);
    if (!size) throw new Error(`the request was not sized for ${model.id}`);
    return size;
  }

  /** How many tokens a model may write; undefined where that is all it could. */
  outputOf(model: Model): number | undefined {
    return outputFor(this.sizeOf(model), this.#held);
  }

  /** The same for each of its answers, as a maximum that vendors take. */
  clampOf(model: Model): number | undefined {
    return clampFor(this.sizeOf(model), this.#held);
  }

  /** What a model that is answering could do with: all that it may come to, and no less than some tokens. */
  wishFor(model: Model, leastTokens: number): Omit<RaiseWish, "hard"> {
    const size = this.sizeOf(model);
    const need = costOf(size, size.output) - this.#held;
    return { need, floor: outputCost(size, leastTokens) };
  }
}
