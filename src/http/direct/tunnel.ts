import type { Socket } from "bun";
import { RUNTIMES_CLOSE } from "../sockets.ts";

type TunnelSocket = Socket<Tunnel>;

/** The end of a tunnel that somebody else has: the client's connection. */
interface TunnelClient {
  /** How many of the bytes were taken. */
  write(bytes: Uint8Array): number;
  pause(): void;
  resume(): void;
  /** Whether something waits for it to be taken; told again whenever a part of that was. */
  holdsUp(isSlow: boolean): void;
  /** Nothing more comes for it. */
  end(): void;
}

/** An answer that makes a WebSocket of a connection begins so. */
const UPGRADED = Buffer.from("HTTP/1.1 101 ");

function endsWith(bytes: Uint8Array, end: Uint8Array): boolean {
  const at = bytes.length - end.length;
  return at >= 0 && Buffer.compare(bytes.subarray(at), end) === 0;
}

const HANDLERS = {
  open(socket: TunnelSocket) {
    socket.data.opened(socket);
  },
  data(socket: TunnelSocket, bytes: Buffer) {
    socket.data.received(bytes);
  },
  drain(socket: TunnelSocket) {
    socket.data.drained();
  },
  close(socket: TunnelSocket) {
    socket.data.closed();
  },
  error(socket: TunnelSocket) {
    socket.terminate();
    socket.data.closed();
  },
};

/**
 * All that comes by a connection from some moment on, as it comes, to the server behind it and back. Whoever is too slow
 * on one side holds up the other, and nothing gathers in between.
 */
export class Tunnel {
  readonly #client: TunnelClient;
  /** Told of the port that the server behind sees, and again when it sees nobody there any more. */
  readonly #opens: (port: number) => void;
  readonly #closes: (port: number) => void;
  #socket: TunnelSocket | undefined;
  #port = 0;
  #isClosed = false;
  /** The server behind has spoken since the client did, so it has read each request. */
  #isHeard = false;
  /** The client says nothing more. */
  #isLast = false;
  /** The client has left: what still comes for it is nobody's. */
  #isLeft = false;
  /** The connection has become a WebSocket. */
  #isUpgraded = false;
  /** Sent in place of the runtime's close frame for a message that is too large, which does not say what to do. */
  readonly #closeWithReason: Uint8Array;
  /** What one side has not taken yet. */
  #toServer: Uint8Array[];
  #toClient: Uint8Array | undefined;

  constructor(
    client: TunnelClient,
    first: Uint8Array,
    { opens, closes }: { opens(port: number): void; closes(port: number): void },
    closeWithReason: Uint8Array = RUNTIMES_CLOSE,
  ) {
    this.#closeWithReason = closeWithReason;
    this.#client = client;
    this.#toServer = [first];
    this.#opens = opens;
    this.#closes = closes;
  }

  connect(port: number): void {
    this.#client.pause();
    const socket = HANDLERS;
    Bun.connect<Tunnel>({ hostname: "127.0.0.1", port, data: this, socket }).catch(() =>
      this.closed(),
    );
  }

  // What the server behind it tells.

  opened(socket: TunnelSocket): void {
    if (this.#isClosed) {
      socket.terminate();
      return;
    }
    this.#socket = socket;
    socket.setNoDelay(true);
    this.#port = socket.localPort;
    this.#opens(this.#port);
    this.drained();
  }

  received(came: Uint8Array): void {
    if (this.#isLeft) return;
    this.#isHeard = true;
    const bytes = this.#explained(came);
    const taken = Math.max(0, this.#client.write(bytes));
    if (taken === bytes.length) return;
    this.#toClient = bytes.subarray(taken);
    this.#socket?.pause();
    this.#client.holdsUp(true);
  }

  #explained(bytes: Uint8Array): Uint8Array {
    if (!this.#isUpgraded) {
      this.#isUpgraded = UPGRADED.equals(bytes.subarray(0, UPGRADED.length));
      return bytes;
    }
    if (!endsWith(bytes, RUNTIMES_CLOSE)) return bytes;
    const before = bytes.subarray(0, bytes.length - RUNTIMES_CLOSE.length);
    return Buffer.concat([before, this.#closeWithReason]);
  }

  /** The server behind takes more. */
  drained(): void {
    const socket = this.#socket;
    if (!socket) return;
    for (let next = this.#toServer[0]; next; next = this.#toServer[0]) {
      const taken = Math.max(0, socket.write(next));
      if (taken < next.length) {
        this.#toServer[0] = next.subarray(taken);
        return;
      }
      this.#toServer.shift();
    }
    if (this.#isLast) socket.shutdown();
    else this.#client.resume();
  }

  /** It has said all that it says. */
  closed(): void {
    if (this.#isClosed) return;
    this.#close();
    if (!this.#toClient && !this.#isLeft) this.#client.end();
  }

  // What the client's connection tells.

  fromClient(bytes: Uint8Array): void {
    if (this.#isClosed) return;
    this.#isHeard = false;
    this.#toServer.push(bytes);
    if (this.#toServer.length > 1 || !this.#socket) return;
    this.drained();
    if (this.#toServer.length > 0) this.#client.pause();
  }

  /** The client takes more. */
  clientDrained(): void {
    const bytes = this.#toClient;
    if (!bytes) return;
    const taken = Math.max(0, this.#client.write(bytes));
    this.#toClient = taken < bytes.length ? bytes.subarray(taken) : undefined;
    this.#client.holdsUp(this.#toClient !== undefined);
    if (this.#toClient) return;
    if (this.#isClosed) this.#client.end();
    else this.#socket?.resume();
  }

  /**
   * The client says nothing more, and may listen for what it has asked: the server behind is told the same, and ends it as it
   * likes.
   */
  clientEnded(): void {
    this.#isLast = true;
    if (this.#isHeard && !this.#toClient) this.#client.end();
    else this.drained();
  }

  /**
   * The client has left. Of what it has asked for last the server behind has yet to read, and to know whose it is: there its
   * side closes first, unless it takes nothing. All others are cut off, or their ports would wait for a minute each.
   */
  leave(): void {
    this.#isLeft = true;
    this.#toClient = undefined;
    const socket = this.#socket;
    if (this.#isClosed || !socket || this.#isHeard || this.#toServer.length > 0) {
      this.#close();
      socket?.terminate();
      return;
    }
    socket.resume();
    socket.shutdown();
  }

  #close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#toServer = [];
    if (this.#port > 0) this.#closes(this.#port);
  }
}
