import type { Clock } from "../../lib/clock.ts";
import { hashSecret, LINK_PREFIX, newSecret } from "../keys/secret.ts";
import type { OperatorLinksTable } from "../tables/operator-access.ts";

const LINK_MS = 3_600_000;

/** A way in for whoever opens it first. */
export async function createOperatorLink(
  rows: Pick<OperatorLinksTable, "add">,
  nowMs: number,
): Promise<string> {
  const token = newSecret(LINK_PREFIX);
  await rows.add(hashSecret(token), nowMs, nowMs + LINK_MS);
  return token;
}

/** Links that make whoever opens them the operator: once, and within an hour. */
export class OperatorLinks {
  readonly #store: OperatorLinksTable;
  readonly #clock: Clock;

  constructor(store: OperatorLinksTable, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  create(): Promise<string> {
    return createOperatorLink(this.#store, this.#clock());
  }

  /** Whether it can still be used; to ask does not use it up. */
  isGood(token: string): Promise<boolean> {
    return this.#store.isGood(hashSecret(token), this.#clock(), LINK_MS);
  }

  /** Runs the work if the link is good. It stays good when the work fails. */
  async use<T>(token: string, work: () => Promise<T>): Promise<T | undefined> {
    const hash = hashSecret(token);
    if (!(await this.#store.take(hash, this.#clock(), LINK_MS))) return undefined;
    try {
      return await work();
    } catch (thrown) {
      await this.#store.giveBack(hash);
      throw thrown;
    }
  }
}

/** Behind the number sign, so that the token never reaches a log or another site. */
export function operatorLink(origin: string, token: string): string {
  return `${origin}/console/welcome#${token}`;
}
