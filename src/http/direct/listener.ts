import type { Socket, TCPSocketListener } from "bun";
import { every } from "../../lib/clock.ts";
import { Watchdog } from "../../lib/threads/watchdog.ts";
import { Connection, type Direct } from "./connection.ts";

/** How often connections that are silent are looked at. */
const LOOK_MS = 250;
/** How often a listener that stops looks whether anything is still being answered. */
const QUIET_LOOK_MS = 50;
/** How long clients may take at least for the last words of the server behind, and how often is looked. */
const LINGER_MS = 500;
const END_LOOK_MS = 5;

/** What a listener leaves to those whose it is. */
type Own<Target> = Pick<
  Direct<Target>,
  | "targetOf"
  | "answer"
  | "linesOf"
  | "addressOf"
  | "behind"
  | "closeWithReason"
  | "uploadMs"
  | "keepMs"
  | "broke"
>;

export interface Port {
  readonly hostname: string;
  readonly port: number;
  /** Several servers share it, each of them told so. */
  readonly isShared: boolean;
}

/** As `Bun.serve` would have told it; of a host that nobody knows `Bun.listen` says no more than that. */
function refused(thrown: unknown): Error {
  const { code = "EINVAL", message } = thrown as Error & { code?: string };
  return Object.assign(new Error(`${code}: ${message}`, { cause: thrown }), {
    ...{ code, syscall: "listen" },
  });
}

/** A port of which plain calls of models are answered at once, and all else by the server behind it. */
export class DirectListener<Target> {
  readonly #listener: TCPSocketListener<Connection<Target>>;
  readonly #connections = new Set<Connection<Target>>();
  readonly #watchdog = new Watchdog(() => this.#nowMs, LOOK_MS);
  /** What connections go by: to ask the clock for each of their requests would cost more than all else about it. */
  #nowMs = performance.now();
  readonly #stopClock: () => void;
  /** Whose connections the server behind sees, by the ports from which they are passed on. */
  readonly #peers = new Map<number, string>();
  #isStopping = false;

  constructor({ hostname, port, isShared }: Port, own: Own<Target>) {
    const isStopping = () => this.#isStopping;
    const nowMs = () => this.#nowMs + LOOK_MS;
    const direct: Direct<Target> = {
      ...own,
      peers: {
        add: (from, address) => this.#peers.set(from, address),
        drop: (from) => this.#peers.delete(from),
      },
      get nowMs() {
        return nowMs();
      },
      get isStopping() {
        return isStopping();
      },
      forget: (connection) => this.#forget(connection),
    };
    this.#stopClock = every(LOOK_MS, () => {
      this.#nowMs = performance.now();
    });
    type ClientSocket = Socket<Connection<Target>>;
    const socket = {
      open: (opened: ClientSocket) => this.#open(opened, direct),
      data: ({ data: connection }: ClientSocket, bytes: Buffer) => connection.received(bytes),
      drain: ({ data: connection }: ClientSocket) => connection.drained(),
      end: ({ data: connection }: ClientSocket) => connection.ended(),
      close: ({ data: connection }: ClientSocket) => connection.closed(),
      // What is thrown by one of these: nobody knows what became of the connection, nor would anybody end it.
      error: ({ data: connection }: ClientSocket, thrown: Error) => {
        own.broke(thrown);
        connection.destroy();
      },
    };
    // What Bun's types do not know, Bun does. Untold, a second server could share the port without a word.
    const share = isShared ? { reusePort: true } : { exclusive: true };
    try {
      const target = { hostname, port, ...share, allowHalfOpen: true };
      this.#listener = Bun.listen<Connection<Target>>({ ...target, socket });
    } catch (thrown) {
      this.#stopClock();
      throw refused(thrown);
    }
  }

  get port(): number {
    return this.#listener.port;
  }

  /** The address of whoever is behind a connection that was passed on; undefined for any other. */
  peerAt(port: number): string | undefined {
    return this.#peers.get(port);
  }

  #open(socket: Socket<Connection<Target>>, direct: Direct<Target>): void {
    const connection = new Connection(direct, socket);
    socket.data = connection;
    this.#connections.add(connection);
    this.#watchdog.add(connection);
  }

  #forget(connection: Connection<Target>): void {
    this.#connections.delete(connection);
    this.#watchdog.drop(connection);
  }

  /** Takes no more, and resolves when nothing is being answered. What was passed on is for the server behind. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#listener.stop();
    for (const connection of this.#connections) connection.rest();
    do await Bun.sleep(QUIET_LOOK_MS);
    while ([...this.#connections].some((connection) => connection.isBusy));
  }

  /**
   * At once, but for what the server behind has said, and its clients have not heard yet: they may take so long for it, and
   * a moment in any case.
   */
  async end(lingerMs = 0): Promise<void> {
    this.#isStopping = true;
    this.#listener.stop();
    for (const connection of this.#connections) if (!connection.isPassedOn) connection.destroy();
    const lastMs = performance.now() + Math.max(LINGER_MS, lingerMs);
    while (this.#connections.size > 0 && performance.now() < lastMs) await Bun.sleep(END_LOOK_MS);
    for (const connection of this.#connections) connection.destroy();
    this.#stopClock();
  }
}
