import { connect, type Socket } from "node:net";
import { every } from "../../../lib/clock.ts";
import { StorageError } from "../../../lib/faults.ts";
import type { Answer, Question } from "./counter.ts";
import { onFrames, sendFrame } from "./frames.ts";
import { atSocket } from "./socket-path.ts";

/** How long somebody who has a question may be silent. */
const SIGN_OF_LIFE_MS = 10_000;

/** What a question needs, but for its number. */
export type Asked = Omit<Question, "id">;

/** A line to whoever keeps the books. */
export class Caller {
  readonly #socket: Socket;
  readonly #signOfLifeMs: number;
  readonly #pending = new Map<number, PromiseWithResolvers<unknown>>();
  #nextId = 1;
  #isGone = false;
  #isSilent = false;
  #stopWatching: (() => void) | undefined;

  private constructor(socket: Socket, signOfLifeMs: number) {
    this.#socket = socket;
    this.#signOfLifeMs = signOfLifeMs;
    // Somebody who only waits for an answer waits for it by its promise.
    socket.on("error", () => {});
    socket.on("end", () => this.#end());
    socket.on("close", () => this.#end());
    onFrames(socket, (answer) => this.#hear(answer as Answer));
  }

  /** Undefined where nobody keeps them at this moment. */
  static async open(folder: string, signOfLifeMs = SIGN_OF_LIFE_MS): Promise<Caller | undefined> {
    return atSocket(folder, async (path) => {
      const socket = connect(path);
      const isOpen = await new Promise<boolean>((resolve) => {
        socket.once("connect", () => resolve(true));
        socket.once("error", () => resolve(false));
      });
      return isOpen ? new Caller(socket, signOfLifeMs) : undefined;
    });
  }

  /** Whether another has to be opened. */
  get isGone(): boolean {
    return this.#isGone;
  }

  ask(asked: Asked): Promise<unknown> {
    this.#stopWatching ??= every(this.#signOfLifeMs, () => this.#watch());
    const id = this.#nextId++;
    const answer = Promise.withResolvers<unknown>();
    this.#pending.set(id, answer);
    sendFrame(this.#socket, { id, ...asked } satisfies Question);
    return answer.promise;
  }

  /** Some questions take long, but whoever lives says so meanwhile. */
  #watch(): void {
    if (this.#isSilent) this.#end("the process that keeps the books does not answer");
    else if (this.#pending.size > 0) {
      this.#isSilent = true;
      sendFrame(this.#socket, { id: 0, port: "books", name: "alive", args: [] } satisfies Question);
    }
  }

  #hear({ id, result, failure }: Answer): void {
    this.#isSilent = false;
    const asked = this.#pending.get(id);
    this.#pending.delete(id);
    if (failure === undefined) asked?.resolve(result);
    else asked?.reject(new StorageError(failure));
  }

  #end(why = "the process that keeps the books ended before it answered"): void {
    this.#isGone = true;
    this.#stopWatching?.();
    const gone = new StorageError(why);
    for (const asked of this.#pending.values()) asked.reject(gone);
    this.#pending.clear();
    this.#socket.destroy();
  }

  close(): void {
    this.#end();
  }
}
