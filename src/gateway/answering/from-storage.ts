import type { Holder } from "../../conversations/packing.ts";
import type { Incoming } from "../../lib/route.ts";
import type { Watchdog } from "../../lib/threads/watchdog.ts";
import type { AnswerBudget } from "../../upstream/transport/answer-budget.ts";
import { releaseWhenTaken } from "./taken.ts";

/** The budget for answers, and the watchdog for answers that no client takes. */
interface AnswerMemory {
  readonly budget: AnswerBudget;
  readonly watchdog: Watchdog;
}

/**
 * Counts what is read of storage among answers, until it is taken: a few bytes may ask for very many. An answer that is
 * not there any more, or is small, counts no longer than it is read.
 */
export async function fromStorage<T>(
  { budget, watchdog }: AnswerMemory,
  client: Pick<Incoming, "isBeingAnswered">,
  accountId: string,
  read: (holder: Holder) => Promise<T>,
): Promise<T> {
  const held = budget.enter(accountId);
  try {
    const answer = await read(held);
    if (held.bytes > 0) releaseWhenTaken({ watchdog }, client, held);
    else held.release();
    return answer;
  } catch (thrown) {
    held.release();
    throw thrown;
  }
}
