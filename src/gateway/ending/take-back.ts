import { insist } from "../../lib/insist.ts";
import type { AnswerKeeper } from "../idempotency/answer-keeper.ts";
import type { Services } from "../services.ts";
import type { StoredTurn } from "../stored-turn.ts";

/** Where an answer was kept before it was settled. */
interface Kept {
  readonly turn: StoredTurn;
  readonly keeper: AnswerKeeper | undefined;
}

/**
 * The client is told that there is no answer, and that it was not charged: so nobody is to go on from it, read it or
 * be given it again, however long storage takes to forget it.
 */
export function takeBack({ tasks, watchdog }: Services, { turn, keeper }: Kept): void {
  const now = () => watchdog.now();
  tasks.run(insist(() => turn.drop(), now, Number.POSITIVE_INFINITY));
  if (keeper) tasks.run(keeper.drop());
}
