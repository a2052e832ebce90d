import type { Socket, TCPSocketListener } from "bun";

type Pipe = { other?: Socket<Pipe>; waiting: Uint8Array[]; hasWritten?: boolean };

/** What a batch of money says along with what it writes. */
const BATCH = "moved ";
/** Of an answer behind which no transaction is open. */
const READY = Buffer.from([...Buffer.from("Z"), 0, 0, 0, 5, ...Buffer.from("I")]);

/** A network between somebody and a database that can be cut. */
export class CuttableWire {
  readonly #target: { hostname: string; port: number };
  readonly #sockets = new Set<Socket<Pipe>>();
  #listener: TCPSocketListener<Pipe> | undefined;
  #port = 0;
  /** Cuts all connections when the next commit has happened, said or by a batch alone, in the place of its answer. */
  loseNextCommitAnswer = false;
  /** What was sent to the database, in pieces as they came. */
  packets = 0;
  /** Connections on which nothing arrives any more, and nobody says so. */
  #silent = new WeakSet<Socket<Pipe>>();

  constructor(url: URL) {
    this.#target = { hostname: url.hostname, port: Number(url.port) };
    this.mend();
  }

  get port(): number {
    return this.#port;
  }

  mend(): void {
    const wire = this;
    this.#listener = Bun.listen<Pipe>({
      hostname: "127.0.0.1",
      port: this.#port,
      data: { waiting: [] },
      socket: {
        open(client) {
          client.data = { waiting: [] };
          wire.#sockets.add(client);
          void wire.#connect(client);
        },
        data(client, bytes) {
          wire.#forward(client, bytes);
        },
        close(client) {
          wire.#sockets.delete(client);
          client.data.other?.end();
        },
      },
    });
    this.#port = this.#listener.port;
  }

  /** Those that are open now are swallowed, but for the first so many; new ones are not. */
  swallow(spared = 0): void {
    for (const socket of [...this.#sockets].slice(spared)) this.#silent.add(socket);
  }

  #forward(client: Socket<Pipe>, bytes: Uint8Array): void {
    if (this.#silent.has(client)) return;
    this.packets += 1;
    if (Buffer.from(bytes).includes(BATCH)) client.data.hasWritten = true;
    if (client.data.other) client.data.other.write(bytes);
    else client.data.waiting.push(bytes.slice());
  }

  #loses(answer: Uint8Array, client: Socket<Pipe>): boolean {
    const bytes = Buffer.from(answer);
    const isOfBatch = client.data.hasWritten === true && bytes.includes(READY);
    if (isOfBatch) client.data.hasWritten = false;
    if (!this.loseNextCommitAnswer || !(isOfBatch || bytes.includes("COMMIT"))) return false;
    this.loseNextCommitAnswer = false;
    return true;
  }

  async #connect(client: Socket<Pipe>): Promise<void> {
    const wire = this;
    const server = await Bun.connect<Pipe>({
      ...this.#target,
      data: { other: client, waiting: [] },
      socket: {
        data(_, bytes) {
          if (wire.#loses(bytes, client)) wire.cut();
          else client.write(bytes);
        },
        close() {
          client.end();
        },
      },
    });
    client.data.other = server;
    for (const bytes of client.data.waiting.splice(0)) server.write(bytes);
  }

  cut(): void {
    this.#listener?.stop(true);
    this.#listener = undefined;
    for (const socket of this.#sockets) socket.terminate();
    this.#sockets.clear();
  }
}
