import { chmodSync, rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { failureOf } from "../../../lib/threads/worker-port.ts";
import type { Money } from "../book/keeper.ts";
import { GOODBYE, NOT_READ, onFrames, sendFrame } from "./frames.ts";
import { atSocket } from "./socket-path.ts";

const OWNER_ONLY = 0o600;
/** How long somebody who is told goodbye may take to hang up: a process that is stopped does not. */
const HANG_UP_MS = 1_000;

/** What another process may ask of whoever keeps the books, by the names of the ports. */
export interface Question {
  readonly id: number;
  readonly port: "accounts" | "admission" | "ledger" | "books";
  readonly name: string;
  readonly args: readonly unknown[];
}

export interface Answer {
  readonly id: number;
  readonly result?: unknown;
  readonly failure?: string;
}

/** What may be asked of the books themselves, beside their ports. */
const OF_THE_BOOKS = ["settleUp", "lookAgain", "ping"];

/** Where others find whoever keeps the books: a socket in the folder that only its owner can use. */
export class Counter {
  readonly #server: Server;
  readonly #money: Money;
  readonly #yield: () => void;
  readonly #sockets = new Set<Socket>();
  #answering = 0;
  #hasEnded = false;
  #idle: (() => void) | undefined;

  private constructor(money: Money, asksToYield: () => void) {
    this.#money = money;
    this.#yield = asksToYield;
    this.#server = createServer((socket) => this.#welcome(socket));
  }

  /** `asksToYield` is called when a server wants to keep the books itself. */
  static async open(folder: string, money: Money, asksToYield: () => void): Promise<Counter> {
    const counter = new Counter(money, asksToYield);
    await atSocket(folder, async (path) => {
      // Of a keeper that was killed: whoever has the folder to itself may take its place.
      rmSync(path, { force: true });
      await new Promise<void>((resolve, reject) => {
        counter.#server.once("error", reject);
        counter.#server.listen(path, resolve);
      });
      chmodSync(path, OWNER_ONLY);
    });
    counter.#server.unref();
    return counter;
  }

  #welcome(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on("close", () => this.#sockets.delete(socket));
    // Whoever hangs up has no use for an answer.
    socket.on("error", () => {});
    const heard = (question: unknown) => {
      // Who asks now is told goodbye, and asks somebody else: nothing may have been done.
      if (!this.#hasEnded) void this.#answer(socket, question as Question);
    };
    const unread = () => {
      sendFrame(socket, { id: NOT_READ } satisfies Answer);
      socket.end();
    };
    onFrames(socket, heard, unread);
  }

  async #answer(socket: Socket, question: Question): Promise<void> {
    const { id } = question;
    this.#answering += 1;
    let answer: Answer;
    try {
      answer = { id, result: await this.#ask(question) };
    } catch (thrown) {
      answer = { id, failure: failureOf(thrown) };
    }
    if (socket.writable) sendFrame(socket, answer);
    this.#answering -= 1;
    if (this.#answering === 0) this.#idle?.();
  }

  #ask({ port, name, args }: Question): unknown {
    if (port === "books" && name === "yield") return this.#yield();
    if (port === "books" && name === "alive") return undefined;
    const target: object = port === "books" ? this.#money : this.#money[port];
    const isAsked = port !== "books" || OF_THE_BOOKS.includes(name);
    const method: unknown = isAsked ? Reflect.get(target, name) : undefined;
    if (typeof method !== "function") throw new Error(`the books have no "${name}"`);
    return method.apply(target, args);
  }

  /** Answers what has been asked, and no more. When it resolves, everybody knows of it. */
  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    if (this.#answering > 0) {
      await new Promise<void>((resolve) => {
        this.#idle = resolve;
      });
    }
    this.#hasEnded = true;
    for (const socket of this.#sockets) {
      sendFrame(socket, { id: GOODBYE } satisfies Answer);
      socket.end();
    }
    const late = setTimeout(() => {
      for (const socket of this.#sockets) socket.destroy();
    }, HANG_UP_MS);
    await closed;
    clearTimeout(late);
  }
}
