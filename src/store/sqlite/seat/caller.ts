import { connect, type Socket } from "node:net";
import { every } from "../../../lib/clock.ts";
import { StorageError } from "../../../lib/faults.ts";
import type { Answer, Question } from "./counter.ts";
import { GOODBYE, NOT_READ, onFrames, sendFrame } from "./frames.ts";
import { atSocket } from "./socket-path.ts";

/** How long somebody who has a question may be silent. */
const SIGN_OF_LIFE_MS = 10_000;

/** Asked to hear anything at all. */
const SIGN_OF_LIFE: Question = { id: 0, port: "books", name: "alive", args: [] };

/** What a question needs, but for its number. */
export type Asked = Omit<Question, "id">;

/** Whoever keeps the books has not answered; the books may be as they should. */
export class UnansweredError extends StorageError {}

/** Whoever keeps the books puts them down, and has not begun with the question: the next one can be asked. */
export class UnheardError extends UnansweredError {
  constructor() {
    super("the process that keeps the books has put them down");
  }
}

/** Each writes values as its runtime does, and not every one reads those of every other. */
class ForeignError extends UnansweredError {
  constructor() {
    super(
      "the process that keeps the books is of another version, and neither can read what the other says; " +
        "use the program that it runs, or stop it first",
    );
  }
}

/** A line to whoever keeps the books. */
export class Caller {
  readonly #socket: Socket;
  readonly #signOfLifeMs: number;
  readonly #pending = new Map<number, PromiseWithResolvers<unknown>>();
  /** Questions that are kept back until somebody has been heard at the other end; undefined from then on. */
  #keptBack: Question[] | undefined = [];
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
    onFrames(
      socket,
      (answer) => this.#hear(answer as Answer),
      () => this.#end(new ForeignError()),
    );
    // The system connects on behalf of somebody who may be about to leave, and would never see what was asked.
    sendFrame(socket, SIGN_OF_LIFE);
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
    if (this.#isGone) return Promise.reject(new UnheardError());
    this.#stopWatching ??= every(this.#signOfLifeMs, () => this.#watch());
    const id = this.#nextId++;
    const answer = Promise.withResolvers<unknown>();
    this.#pending.set(id, answer);
    const question: Question = { id, ...asked };
    if (this.#keptBack) this.#keptBack.push(question);
    else sendFrame(this.#socket, question);
    return answer.promise;
  }

  /** Some questions take long, but whoever lives says so meanwhile. */
  #watch(): void {
    if (this.#isSilent) {
      this.#end(new UnansweredError("the process that keeps the books does not answer"));
    } else if (this.#pending.size > 0) {
      this.#isSilent = true;
      sendFrame(this.#socket, SIGN_OF_LIFE);
    }
  }

  #hear({ id, result, failure }: Answer): void {
    if (id === GOODBYE || id === NOT_READ) {
      this.#end(id === GOODBYE ? new UnheardError() : new ForeignError());
      return;
    }
    this.#isSilent = false;
    for (const question of this.#keptBack ?? []) sendFrame(this.#socket, question);
    this.#keptBack = undefined;
    const asked = this.#pending.get(id);
    this.#pending.delete(id);
    if (failure === undefined) asked?.resolve(result);
    else asked?.reject(new StorageError(failure));
  }

  #end(why?: UnansweredError): void {
    const ended = "the process that keeps the books ended before it answered";
    const gone = why ?? (this.#keptBack ? new UnheardError() : new UnansweredError(ended));
    this.#isGone = true;
    this.#stopWatching?.();
    for (const asked of this.#pending.values()) asked.reject(gone);
    this.#pending.clear();
    this.#socket.destroy();
  }

  close(): void {
    this.#end();
  }
}
