import type { Incoming } from "../../lib/route.ts";
import type { Watch } from "../../lib/threads/watchdog.ts";
import type { Services } from "../services.ts";

/** Nobody tells when a client has taken its answer: it is looked at so often. */
const LOOK_MS = 100;

/** Gives back what counts for an answer that is about to go out, once its client has taken it or is gone. */
export function releaseWhenTaken(
  { watchdog }: Pick<Services, "watchdog">,
  client: Pick<Incoming, "isBeingAnswered">,
  held: { release(): void },
): void {
  if (!client.isBeingAnswered()) {
    held.release();
    return;
  }
  const watch: Watch = {
    dueAtMs: watchdog.now() + LOOK_MS,
    due(nowMs) {
      watch.dueAtMs = nowMs + LOOK_MS;
      if (client.isBeingAnswered()) return;
      watchdog.drop(watch);
      held.release();
    },
  };
  watchdog.add(watch);
}
