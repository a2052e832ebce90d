import { chmodSync, rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { failureOf } from "../../../lib/threads/worker-port.ts";
import type { Money } from "../book/ledger-owner.ts";
import { GOODBYE, NOT_READ, onFrames, sendFrame } from "./frames.ts";
import { atSocket } from "./socket-path.ts";

const OWNER_ONLY = 0o600;
/** How long a client may take to hang up after a goodbye: a stopped process never does. */
const HANG_UP_MS = 1_000;

/** A call that another process makes to the ledger owner, by the names of the ports. */
export interface OwnerRequest {
  readonly id: number;
  readonly port: "accounts" | "admission" | "ledger" | "books";
  readonly name: string;
  readonly args: readonly unknown[];
}

export interface OwnerReply {
  readonly id: number;
  readonly result?: unknown;
  readonly failure?: string;
}

/** What may be asked of the books themselves, beside their ports. */
const OF_THE_BOOKS = ["settleUp", "lookAgain", "ping"];

/** Serves the ledger owner to other processes, on a socket in the folder that only the folder's user can use. */
export class OwnerServer {
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
  static async open(folder: string, money: Money, asksToYield: () => void): Promise<OwnerServer> {
    const server = new OwnerServer(money, asksToYield);
    await atSocket(folder, async (path) => {
      // An owner that was killed leaves its socket. The lock shows that no other owner uses it.
      rmSync(path, { force: true });
      await new Promise<void>((resolve, reject) => {
        server.#server.once("error", reject);
        server.#server.listen(path, resolve);
      });
      chmodSync(path, OWNER_ONLY);
    });
    server.#server.unref();
    return server;
  }

  #welcome(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on("close", () => this.#sockets.delete(socket));
    // A client that hangs up has no use for a reply.
    socket.on("error", () => {});
    const heard = (request: unknown) => {
      // A late request gets the goodbye and goes to another owner, so nothing of it may be done here.
      if (!this.#hasEnded) void this.#answer(socket, request as OwnerRequest);
    };
    const unread = () => {
      sendFrame(socket, { id: NOT_READ } satisfies OwnerReply);
      socket.end();
    };
    onFrames(socket, heard, unread);
  }

  async #answer(socket: Socket, request: OwnerRequest): Promise<void> {
    const { id } = request;
    this.#answering += 1;
    let reply: OwnerReply;
    try {
      reply = { id, result: await this.#ask(request) };
    } catch (thrown) {
      reply = { id, failure: failureOf(thrown) };
    }
    if (socket.writable) sendFrame(socket, reply);
    this.#answering -= 1;
    if (this.#answering === 0) this.#idle?.();
  }

  #ask({ port, name, args }: OwnerRequest): unknown {
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
      sendFrame(socket, { id: GOODBYE } satisfies OwnerReply);
      socket.end();
    }
    const late = setTimeout(() => {
      for (const socket of this.#sockets) socket.destroy();
    }, HANG_UP_MS);
    await closed;
    clearTimeout(late);
  }
}
