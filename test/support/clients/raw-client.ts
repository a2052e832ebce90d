/**
 * A client on a bare socket: it sees each byte the moment it arrives, so it can act between the last
 * byte of an answer and whatever the server does next, and it can stop reading without leaving.
 */
export class RawClient {
  readonly #socket: Bun.Socket<undefined>;
  /** What the socket has not taken yet. */
  #unsent: Uint8Array = new Uint8Array();
  text = "";
  /** The same, one character per byte. */
  octets = "";
  readonly closed: Promise<void>;
  isClosed = false;

  private constructor(socket: Bun.Socket<undefined>, closed: Promise<void>) {
    this.#socket = socket;
    this.closed = closed.then(() => {
      this.isClosed = true;
    });
  }

  /** `onBytes` is called with all that has come so far. */
  static async connect(
    url: string,
    onBytes: (text: string) => void = () => {},
  ): Promise<RawClient> {
    const { hostname: host, port } = new URL(url);
    const hostname = host.replace(/^\[|\]$/g, "");
    let client: RawClient | undefined;
    const decoder = new TextDecoder();
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    const socket = await Bun.connect<undefined>({
      hostname,
      port: Number(port),
      socket: {
        data(_socket, bytes) {
          if (!client) return;
          client.octets += bytes.toString("latin1");
          client.text += decoder.decode(bytes, { stream: true });
          onBytes(client.text);
        },
        drain() {
          if (client) client.#write();
        },
        close: () => resolve(),
        error: () => resolve(),
      },
    });
    client = new RawClient(socket, closed);
    return client;
  }

  post(path: string, key: string, body: unknown, headers: Record<string, string> = {}): void {
    const bytes = Buffer.from(JSON.stringify(body));
    const lines = [
      `POST ${path} HTTP/1.1`,
      "host: 127.0.0.1",
      `authorization: Bearer ${key}`,
      "content-type: application/json",
      `content-length: ${bytes.byteLength}`,
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ];
    this.send(`${lines.join("\r\n")}\r\n\r\n${bytes}`);
  }

  send(sent: string | Uint8Array): void {
    this.#unsent = Buffer.concat([this.#unsent, Buffer.from(sent as string)]);
    this.#write();
  }

  /** How much the socket has not taken: the server reads no more. */
  get unsentBytes(): number {
    return this.#unsent.length;
  }

  #write(): void {
    const taken = Math.max(0, this.#socket.write(this.#unsent));
    this.#unsent = this.#unsent.subarray(taken);
    this.#socket.flush();
  }

  /** Says that it sends nothing more, and listens on. */
  sendNoMore(): void {
    this.#socket.shutdown();
  }

  /** Takes no more bytes but stays connected. */
  stopReading(): void {
    this.#socket.pause();
  }

  readOn(): void {
    this.#socket.resume();
  }

  leave(): void {
    this.#socket.terminate();
  }
}

/** Whether a text holds a whole answer: a JSON body of its declared length, or a stream's end. */
export function isWhole(text: string): boolean {
  const end = text.indexOf("\r\n\r\n");
  if (end < 0) return false;
  const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, end))?.[1];
  if (length === undefined) return text.includes("data: [DONE]\n\n");
  return Buffer.byteLength(text.slice(end + 4)) >= Number(length);
}

export function headerOf(text: string, name: string): string {
  return new RegExp(`\\r\\n${name}: ([^\\r]*)`, "i").exec(text)?.[1] ?? "";
}
