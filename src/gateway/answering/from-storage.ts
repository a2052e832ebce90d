import type { Holder } from "../../conversations/packing.ts";
import type { Incoming } from "../../lib/route.ts";
import type { Watchdog } from "../../lib/threads/watchdog.ts";
import type { AnswerRoom } from "../../upstream/transport/answer-room.ts";
import { releaseWhenTaken } from "./taken.ts";

/** Where answers have room, and who looks whether they are taken. */
interface Room {
  readonly room: AnswerRoom;
  readonly watchdog: Watchdog;
}

/**
 * Counts what is read of storage among answers, until it is taken: a few bytes may ask for very many. An answer that is
 * not there any more, or is small, counts no longer than it is read.
 */
export async function fromStorage<T>(
  { room, watchdog }: Room,
  client: Pick<Incoming, "isBeingAnswered">,
  accountId: string,
  read: (holder: Holder) => Promise<T>,
): Promise<T> {
  const held = room.enter(accountId);
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
