// One connection to a server, spoken to in bytes: what no client library would send can be sent.
import { type ReceivedResponse, ResponseReader } from "../../bench/response-reader.ts";

/** What came back: an answer, or the end of the connection. */
export type Outcome = ReceivedResponse | "closed";

export class Exchange {
  readonly #url: URL;
  #socket: Bun.Socket<undefined> | undefined;
  #reader = new ResponseReader();
  #answered: (outcome: Outcome) => void = () => {};

  constructor(url: string) {
    this.#url = new URL(url);
  }

  /** Sends bytes, on the connection of the exchange before where that is still there. */
  async send(bytes: Uint8Array): Promise<Outcome> {
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    this.#answered = resolve;
    const socket = this.#socket ?? (await this.#connect());
    this.#write(socket, bytes);
    const outcome = await promise;
    const isOver = outcome !== "closed" && outcome.headers.get("connection") === "close";
    if (isOver) this.close();
    return outcome;
  }

  close(): void {
    this.#socket?.end();
    this.#socket = undefined;
  }

  #write(socket: Bun.Socket<undefined>, bytes: Uint8Array): void {
    const written = socket.write(bytes);
    if (written >= bytes.length || written < 0) return;
    const rest = bytes.subarray(written);
    this.#drained = () => this.#write(socket, rest);
  }

  #drained: () => void = () => {};

  async #connect(): Promise<Bun.Socket<undefined>> {
    this.#reader = new ResponseReader();
    const socket = await Bun.connect<undefined>({
      hostname: this.#url.hostname,
      port: Number(this.#url.port),
      socket: {
        data: (from, bytes) => {
          if (from === this.#socket) this.#take(bytes);
        },
        drain: () => this.#drained(),
        close: (from) => this.#over(from),
        error: (from) => this.#over(from),
      },
    });
    this.#socket = socket;
    return socket;
  }

  #take(bytes: Uint8Array): void {
    let response: ReceivedResponse | null;
    try {
      response = this.#reader.feed(bytes);
    } catch {
      // Two answers on the heels of one another: what was sent was two requests to the server.
      this.close();
      this.#answered("closed");
      return;
    }
    if (response) this.#answered(response);
  }

  #over(from: Bun.Socket<undefined>): void {
    if (from !== this.#socket) return;
    this.#socket = undefined;
    this.#answered("closed");
  }
}
