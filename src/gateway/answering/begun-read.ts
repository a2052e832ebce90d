import type { Watch, Watchdog } from "../../lib/threads/watchdog.ts";
import type { ChunkTaker } from "../../upstream/transport/vendor-answer.ts";

/** What came of a read. */
export interface Taken {
  /** Undefined at the end of the body. */
  readonly chunk: Uint8Array | undefined;
}

/** A read of a vendor's stream by somebody who does not wait for as long as it takes: whoever goes on is told of it. */
export class BegunRead implements ChunkTaker {
  #tell: ((taker: ChunkTaker) => void) | undefined;
  #taker: ChunkTaker | undefined;

  took(chunk: Uint8Array | undefined): void {
    this.#told((taker) => taker.took(chunk));
  }

  lost(thrown: unknown): void {
    this.#told((taker) => taker.lost(thrown));
  }

  #told(tell: (taker: ChunkTaker) => void): void {
    if (this.#taker) tell(this.#taker);
    else this.#tell = tell;
  }

  /** What comes of it is for somebody else from now on, or has come already. */
  handTo(taker: ChunkTaker): void {
    const tell = this.#tell;
    this.#tell = undefined;
    this.#taker = taker;
    tell?.(taker);
  }

  /** What it brings until then. Nothing where that is later, or is lost: then it is there to be handed on. */
  until(watchdog: Watchdog, atMs: number): Promise<Taken | undefined> {
    const { promise, resolve } = Promise.withResolvers<Taken | undefined>();
    const leave = (): void => {
      watchdog.drop(watch);
      this.#taker = undefined;
      resolve(undefined);
    };
    const watch: Watch = { dueAtMs: atMs, due: leave };
    watchdog.add(watch);
    this.handTo({
      took: (chunk) => {
        watchdog.drop(watch);
        resolve({ chunk });
      },
      lost: (thrown) => {
        leave();
        this.lost(thrown);
      },
    });
    return promise;
  }
}
