import type { Leeway } from "../../accounts/account.ts";
import type { RaiseTerms } from "../../admission/judge.ts";
import type { Model } from "../../catalogue/models.ts";
import type { NanoUsd } from "../../catalogue/money.ts";
import { clampFor, outputCost, outputFor, type Size } from "./sizing.ts";

/** The money that a request may cost: it is held in every scope, and may grow before the request ends. */
export class Allowance {
  /** For each of the models that may answer. */
  readonly #sizes: readonly Size[];
  #held: NanoUsd;
  /** How far it may pass what is left in a scope. */
  readonly leeway: Leeway;
  /** True if the balance of the account gave it no more. */
  readonly byBalance: boolean;

  constructor(held: NanoUsd, sizes: readonly Size[], leeway: Leeway, byBalance: boolean) {
    this.#held = held;
    this.leeway = leeway;
    this.#sizes = sizes;
    this.byBalance = byBalance;
  }

  get held(): NanoUsd {
    return this.#held;
  }

  widen(amount: NanoUsd): void {
    this.#held += amount;
  }

  sizeOf(model: Model): Size {
    for (const size of this.#sizes) if (size.model === model) return size;
    throw new Error(`the request was not sized for ${model.id}`);
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
  raiseTerms(model: Model, leastTokens: number): RaiseTerms {
    const size = this.sizeOf(model);
    const need = size.worst - this.#held;
    return { need, floor: outputCost(size, leastTokens), ...this.leeway };
  }
}
