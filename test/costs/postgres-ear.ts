// Stands between a server and PostgreSQL, passes everything on, and counts the statements that were carried out.
import type { Socket } from "bun";

/** A frame is a letter, and a length that counts itself. */
const FRAME_HEAD = 5;
/** The database's word that a statement is done: one for each, however many came in one message. */
const COMMAND_COMPLETE = "C".charCodeAt(0);
/** What it says, by a single letter, to the question for encryption. */
const NOT_ENCRYPTED = "N".charCodeAt(0);

/** Follows the frames of one connection across the pieces in which they come. */
export class FrameCounter {
  /** The beginning of a frame whose length is not there yet. */
  #head: number[] = [];
  /** Bytes of the present frame that are still to come. */
  #left = 0;
  #isFirst = true;
  completed = 0;

  push(bytes: Uint8Array): void {
    let at = 0;
    if (this.#isFirst && bytes.length > 0) {
      this.#isFirst = false;
      if (bytes[0] === NOT_ENCRYPTED && bytes.length === 1) at = 1;
    }
    while (at < bytes.length) {
      if (this.#left > 0) {
        const taken = Math.min(this.#left, bytes.length - at);
        this.#left -= taken;
        at += taken;
        continue;
      }
      this.#head.push(bytes[at++] as number);
      if (this.#head.length === FRAME_HEAD) this.#open();
    }
  }

  #open(): void {
    const [letter = 0, ...length] = this.#head;
    if (letter === COMMAND_COMPLETE) this.completed += 1;
    const bytes = length.reduce((sum, byte) => sum * 256 + byte, 0);
    this.#left = bytes - (FRAME_HEAD - 1);
    this.#head = [];
  }
}

/** One side of a connection; what its peer cannot take yet waits. */
interface Side {
  peer: Socket<Side> | undefined;
  waiting: Uint8Array[];
  frames: FrameCounter | undefined;
}

function pass(to: Socket<Side> | undefined, from: Side, bytes: Uint8Array): void {
  if (!to || from.waiting.length > 0) {
    from.waiting.push(bytes);
    return;
  }
  const written = to.write(bytes);
  if (written < bytes.length) from.waiting.push(bytes.subarray(Math.max(0, written)));
}

function passRest(socket: Socket<Side>): void {
  const from = socket.data.peer?.data;
  if (!from) return;
  for (const bytes of from.waiting.splice(0)) pass(socket, from, bytes);
}

export class PostgresEar {
  readonly #counters: FrameCounter[] = [];
  readonly #listener: Bun.TCPSocketListener<Side>;
  readonly #behind: URL;

  /** `url` is the database that it stands in front of. */
  constructor(url: string) {
    this.#behind = new URL(url);
    const { hostname, port } = this.#behind;
    const handlers = {
      data: (socket: Socket<Side>, bytes: Buffer) => {
        // The piece is the runtime's own again after this call.
        const own = new Uint8Array(bytes);
        socket.data.frames?.push(own);
        pass(socket.data.peer, socket.data, own);
      },
      drain: passRest,
      close: (socket: Socket<Side>) => void socket.data.peer?.end(),
    };
    const side = (peer?: Socket<Side>, frames?: FrameCounter): Side => ({
      ...{ peer, frames },
      waiting: [],
    });
    this.#listener = Bun.listen<Side>({
      ...{ hostname: "127.0.0.1", port: 0 },
      socket: {
        ...handlers,
        open: async (client) => {
          client.data = side();
          const frames = new FrameCounter();
          this.#counters.push(frames);
          const data = side(client, frames);
          const database = await Bun.connect<Side>({
            ...{ hostname, port: Number(port), data },
            socket: handlers,
          });
          client.data.peer = database;
          passRest(database);
        },
      },
    });
  }

  /** Where a server finds the same database. */
  get url(): string {
    const url = new URL(this.#behind);
    url.port = String(this.#listener.port);
    return url.href;
  }

  get statements(): number {
    return this.#counters.reduce((sum, { completed }) => sum + completed, 0);
  }

  stop(): void {
    this.#listener.stop(true);
  }
}
