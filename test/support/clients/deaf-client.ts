import { eventually } from "../waiting.ts";

/** A WebSocket client that says what it wants and then takes no bytes, yet stays connected. */
export class DeafClient {
  readonly #socket: Bun.Socket<undefined>;
  readonly #heard: () => string;
  readonly #over: Promise<void>;

  private constructor(socket: Bun.Socket<undefined>, heard: () => string, over: Promise<void>) {
    this.#socket = socket;
    this.#heard = heard;
    this.#over = over;
  }

  /** `url` is that of the server, up to and including `/v1`. */
  static async connect(url: string, key: string): Promise<DeafClient> {
    const { hostname, port } = new URL(url);
    let answered = "";
    const over = Promise.withResolvers<void>();
    const socket = await Bun.connect<undefined>({
      hostname,
      port: Number(port),
      socket: {
        data(_socket, bytes) {
          answered += bytes.toString("latin1");
        },
        end: () => over.resolve(),
        close: () => over.resolve(),
      },
    });
    const lines = [
      "GET /v1/responses HTTP/1.1",
      "host: 127.0.0.1",
      "connection: Upgrade",
      "upgrade: websocket",
      "sec-websocket-version: 13",
      `sec-websocket-key: ${btoa("sixteen bytes ok")}`,
      `authorization: Bearer ${key}`,
    ];
    socket.write(`${lines.join("\r\n")}\r\n\r\n`);
    await eventually("the handshake is done", () => answered.includes("\r\n\r\n"));
    if (!answered.startsWith("HTTP/1.1 101")) throw new Error(answered);
    return new DeafClient(socket, () => answered, over.promise);
  }

  /** One text message, masked with zeros, which leave it as it is. */
  send(message: unknown): void {
    const text = Buffer.from(JSON.stringify(message));
    const head = [0x81, 0x80 | 126, text.length >> 8, text.length & 0xff, 0, 0, 0, 0];
    this.#socket.pause();
    this.#socket.write(Buffer.concat([Buffer.from(head), text]));
    this.#socket.flush();
  }

  /** Takes everything after all, until the server ends the connection. */
  async hearOut(): Promise<string> {
    this.#socket.resume();
    await this.#over;
    return this.#heard();
  }

  leave(): void {
    this.#socket.terminate();
  }
}
