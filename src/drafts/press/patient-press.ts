import { Fault } from "../../lib/faults.ts";
import type { Press, PressFor } from "./press.ts";

/** Renders are short, and nobody may ask for many in a minute: whoever looks again finds room. */
const LOOK_AGAIN_MS = 500;

function isFull(thrown: unknown): boolean {
  return thrown instanceof Fault && thrown.fault === "rate_limit_exceeded";
}

/**
 * For work that has begun and goes on whatever its caller is told: nobody can be asked to come again, so it waits
 * where there is no room.
 */
export function patientPress(pressFor: PressFor, sleep: (ms: number) => Promise<void>): PressFor {
  const patient =
    <Given extends unknown[], Made>(work: (...given: Given) => Promise<Made>) =>
    async (...given: Given): Promise<Made> => {
      for (;;) {
        try {
          return await work(...given);
        } catch (thrown) {
          if (!isFull(thrown)) throw thrown;
        }
        await sleep(LOOK_AGAIN_MS);
      }
    };
  return (accountId): Press => {
    const press = pressFor(accountId);
    return {
      judge: patient(press.judge),
      preview: patient(press.preview),
      placeImages: patient(press.placeImages),
      mark: patient(press.mark),
      matching: patient(press.matching),
    };
  };
}
