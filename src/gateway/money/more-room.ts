import { isHard } from "../../accounts/account.ts";
import type { NanoUsd } from "../../catalogue/money.ts";
import { insist } from "../../lib/insist.ts";
import type { AdmittedRequest } from "../admitted-request.ts";
import type { Services } from "../services.ts";

interface Asking {
  readonly mayBeAlone: boolean;
  /** How long it is tried while storage is away. */
  readonly waitMs: number;
}

/** Asks for more money to be held for a stream that comes to the end of what is. */
export class MoreRoom {
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

  /** At half of its room a stream asks for more, so that it need not stop at the end of it. */
  askEarly(): void {
    if (this.#askedWith === this.#admitted.room.held) return;
    // It runs on alone only where it would have to stop: others may be done by then.
    this.#services.tasks.run(this.#raise({ mayBeAlone: false, waitMs: 0 }));
  }

  /** At the end of its room: true once there is more of it, false where no more is to be had. */
  async hasMore(): Promise<boolean> {
    const { room } = this.#admitted;
    const before = room.held;
    await this.#raising;
    const { settle_wait_ms: waitMs } = this.#services.limits;
    return room.held > before || (await this.#raise({ mayBeAlone: true, waitMs }));
  }

  /** Asks for more, and again while storage is away: a stream must not end for that. Where it stays away, there is none. */
  #raise(how: Asking): Promise<boolean> {
    this.#askedWith = this.#admitted.room.held;
    const { watchdog } = this.#services;
    let hasMore = false;
    const ask = async () => {
      hasMore = await this.#askForMore(how);
    };
    this.#raising = insist(ask, () => watchdog.now(), watchdog.now() + how.waitMs)
      .then(
        () => hasMore,
        () => false,
      )
      .finally(() => {
        this.#raising = undefined;
      });
    return this.#raising;
  }

  async #askForMore({ mayBeAlone }: Asking): Promise<boolean> {
    const { admission, limits } = this.#services;
    const admitted = this.#admitted;
    const { requestId, key } = admitted.caller;
    const wish = admitted.room.wishFor(admitted.model, limits.floor_output_tokens);
    const raised = await admission.raise({
      requestId,
      accountId: key.accountId,
      keyId: key.id,
      ...wish,
      hard: isHard(key) || !mayBeAlone,
    });
    if (raised.kind === "ended") return false;
    admitted.room.widen(raised.granted);
    return true;
  }
}
