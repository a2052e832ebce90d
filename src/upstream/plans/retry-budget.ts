import type { Limits } from "../../config/config.ts";

/**
 * How many requests may be on a second attempt at once: a share of all that wait for a vendor. When
 * every vendor fails, retrying every request would double the load that they fail under.
 */
export class RetryBudget {
  readonly #limits: Limits;
  #waiting = 0;
  #retrying = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** Whether one more may. */
  allows(): boolean {
    const { retry_budget_min, retry_budget_percent } = this.#limits;
    const share = Math.floor((this.#waiting * retry_budget_percent) / 100);
    return this.#retrying < Math.max(retry_budget_min, share);
  }

  /** An attempt waits for its vendor's first word. */
  begin(retry: boolean): void {
    this.#waiting += 1;
    if (retry) this.#retrying += 1;
  }

  end(retry: boolean): void {
    this.#waiting -= 1;
    if (retry) this.#retrying -= 1;
  }
}
