import { retryWrite } from "../../lib/retry.ts";
import type { AnswerRecorder } from "../idempotency/answer-recorder.ts";
import type { Services } from "../services.ts";
import type { StoredTurn } from "../stored-turn.ts";

/** Where an answer was kept before it was settled. */
interface Kept {
  readonly turn: StoredTurn;
  readonly recorder: AnswerRecorder | undefined;
}

/**
 * The client is told that there is no answer, and that it was not charged: so nobody is to go on from it, read it or
 * be given it again, however long storage takes to forget it.
 */
export function takeBack({ tasks, watchdog }: Services, { turn, recorder }: Kept): void {
  const now = () => watchdog.now();
  tasks.run(retryWrite(() => turn.drop(), now, Number.POSITIVE_INFINITY));
  if (recorder) tasks.run(recorder.drop());
}
