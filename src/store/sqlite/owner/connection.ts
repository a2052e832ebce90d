import { connect, type Socket } from "node:net";
import { every } from "../../../lib/clock.ts";
import { StorageError } from "../../../lib/faults.ts";
import { GOODBYE, NOT_READ, onFrames, sendFrame } from "./frames.ts";
import type { OwnerReply, OwnerRequest } from "./server.ts";
import { atSocket } from "./socket-path.ts";

/** How long the owner may be silent while it has a request. */
const SIGN_OF_LIFE_MS = 10_000;

/** Asks for any sign of life. */
const SIGN_OF_LIFE: OwnerRequest = { id: 0, port: "books", name: "alive", args: [] };

/** A request without its number. */
export type OwnerCall = Omit<OwnerRequest, "id">;

/** The ledger owner has not answered. The ledger itself may be in order. */
export class UnansweredError extends StorageError {}

/** The owner gives up the ledger and has not begun with the request, so the next owner can be asked. */
export class LedgerReleasedError extends UnansweredError {
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

/** A connection to the ledger owner. */
export class OwnerConnection {
  readonly #socket: Socket;
  readonly #signOfLifeMs: number;
  readonly #pending = new Map<number, PromiseWithResolvers<unknown>>();
  /** Requests that wait until the other end has been heard; undefined from then on. */
  #keptBack: OwnerRequest[] | undefined = [];
  #nextId = 1;
  #isGone = false;
  #isSilent = false;
  #stopWatching: (() => void) | undefined;

  private constructor(socket: Socket, signOfLifeMs: number) {
    this.#socket = socket;
    this.#signOfLifeMs = signOfLifeMs;
    // A caller that waits for a reply learns of the end by its promise.
    socket.on("error", () => {});
    socket.on("end", () => this.#end());
    socket.on("close", () => this.#end());
    onFrames(
      socket,
      (reply) => this.#hear(reply as OwnerReply),
      () => this.#end(new ForeignError()),
    );
    // The system accepts connections for an owner that may be about to end, and that would never see a request.
    sendFrame(socket, SIGN_OF_LIFE);
  }

  /** Undefined if the ledger has no owner at this moment. */
  static async open(
    folder: string,
    signOfLifeMs = SIGN_OF_LIFE_MS,
  ): Promise<OwnerConnection | undefined> {
    return atSocket(folder, async (path) => {
      const socket = connect(path);
      const isOpen = await new Promise<boolean>((resolve) => {
        socket.once("connect", () => resolve(true));
        socket.once("error", () => resolve(false));
      });
      return isOpen ? new OwnerConnection(socket, signOfLifeMs) : undefined;
    });
  }

  /** Whether another has to be opened. */
  get isGone(): boolean {
    return this.#isGone;
  }

  ask(asked: OwnerCall): Promise<unknown> {
    if (this.#isGone) return Promise.reject(new LedgerReleasedError());
    this.#stopWatching ??= every(this.#signOfLifeMs, () => this.#watch());
    const id = this.#nextId++;
    const reply = Promise.withResolvers<unknown>();
    this.#pending.set(id, reply);
    const request: OwnerRequest = { id, ...asked };
    if (this.#keptBack) this.#keptBack.push(request);
    else sendFrame(this.#socket, request);
    return reply.promise;
  }

  /** Some requests take long, but a live owner answers signs of life meanwhile. */
  #watch(): void {
    if (this.#isSilent) {
      this.#end(new UnansweredError("the process that keeps the books does not answer"));
    } else if (this.#pending.size > 0) {
      this.#isSilent = true;
      sendFrame(this.#socket, SIGN_OF_LIFE);
    }
  }

  #hear({ id, result, failure }: OwnerReply): void {
    if (id === GOODBYE || id === NOT_READ) {
      this.#end(id === GOODBYE ? new LedgerReleasedError() : new ForeignError());
      return;
    }
    this.#isSilent = false;
    for (const request of this.#keptBack ?? []) sendFrame(this.#socket, request);
    this.#keptBack = undefined;
    const asked = this.#pending.get(id);
    this.#pending.delete(id);
    if (failure === undefined) asked?.resolve(result);
    else asked?.reject(new StorageError(failure));
  }

  #end(why?: UnansweredError): void {
    const ended = "the process that keeps the books ended before it answered";
    const gone = why ?? (this.#keptBack ? new LedgerReleasedError() : new UnansweredError(ended));
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
