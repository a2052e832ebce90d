import type { NanoUsd } from "../../catalogue/money.ts";
import { retryWrite } from "../../lib/retry.ts";
import { TimeBudget } from "../../lib/threads/time-budget.ts";
import type { AdmittedRequest } from "../admitted-request.ts";
import type { Services } from "../services.ts";

/** Raises the hold of a stream that comes to the end of its allowance. */
export class MoreAllowance {
  readonly #services: Services;
  readonly #admitted: AdmittedRequest;
  /** The question that is under way. */
  #raising: Promise<boolean> | undefined;
  /** What was held when it was last asked for. */
  #askedWith: NanoUsd | undefined;

  constructor(services: Services, admitted: AdmittedRequest) {
    this.#services = services;
    this.#admitted = admitted;
  }

  /** A stream asks for more at half of its allowance, so that it need not stop at the end. */
  askEarly(): void {
    if (this.#askedWith === this.#admitted.allowance.held) return;
    const { limits, tasks } = this.#services;
    const timeBudget = new TimeBudget(limits.admission_storage_ms);
    // It runs on alone only where it would have to stop: others may be done by then.
    tasks.run(this.#raise(this.#askForMore(false, timeBudget)));
  }

  /**
   * At the end of the allowance: true once there is more, false if no more is to be had. While storage is away
   * it is asked again, since a stream must not end for that; where it stays away, there is none.
   */
  async hasMore(): Promise<boolean> {
    const { allowance } = this.#admitted;
    const { limits, watchdog } = this.#services;
    const now = () => watchdog.now();
    const giveUpAtMs = now() + limits.settle_wait_ms;
    const before = allowance.held;
    await this.#raising;
    if (allowance.held > before) return true;
    let hasMore = false;
    const ask = async () => {
      hasMore = await this.#askForMore(true, new TimeBudget(giveUpAtMs - now()));
    };
    return this.#raise(retryWrite(ask, now, giveUpAtMs).then(() => hasMore));
  }

  #raise(asked: Promise<boolean>): Promise<boolean> {
    this.#askedWith = this.#admitted.allowance.held;
    this.#raising = asked
      .catch(() => false)
      .finally(() => {
        this.#raising = undefined;
      });
    return this.#raising;
  }

  async #askForMore(mayBeAlone: boolean, timeBudget: TimeBudget): Promise<boolean> {
    const { admission, limits } = this.#services;
    const admitted = this.#admitted;
    const { requestId, key } = admitted.caller;
    const terms = admitted.allowance.raiseTerms(admitted.model, limits.floor_output_tokens);
    const { accountId, id: keyId } = key;
    const hard = terms.hard || !mayBeAlone;
    const asked = { requestId, accountId, keyId, ...terms, hard };
    const raised = await admission.raise(asked, timeBudget);
    if (raised.kind === "ended") return false;
    admitted.allowance.widen(raised.granted);
    return true;
  }
}
