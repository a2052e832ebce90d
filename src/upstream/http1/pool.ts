import { isIP } from "node:net";
import type { Socket, TCPSocketConnectOptions } from "bun";
import type { Limits } from "../../config/config.ts";
import type { Clock } from "../../lib/clock.ts";
import { Reach } from "../reach.ts";
import { Connection, type ConnectionPool } from "./connection.ts";
import { Http1Call, type Http1Request } from "./http1-call.ts";

/** What a connection goes by. */
export type Http1Limits = Pick<
  Limits,
  | "upstream_connect_ms"
  | "upstream_head_bytes_max"
  | "upstream_unread_bytes_max"
  | "upstream_keep_ms"
  | "upstream_kept_max"
>;

/** Where a vendor that keeps connections for so long may be closing them already. */
const KEEP_MARGIN_MS = 1_000;
/** A vendor that closes so soon behind an answer never meant to keep the connection, and is believed for so long. */
const CLOSED_SOON_MS = 200;
const NOT_KEPT_MS = 60_000;
/** So many attempts to connect may hang before it is found out first whether the vendor can be reached. */
const HANGING_MAX = 16;
/** The name of HTTP/1.1 as TLS offers it, behind its length. */
const ALPN = "\x08http/1.1";

const HANDLERS = {
  open(socket: Socket<Connection>) {
    socket.data.opened(socket);
  },
  handshake(socket: Socket<Connection>, isTrusted: boolean, thrown: Error | null) {
    socket.data.shookHands(socket, isTrusted, thrown);
  },
  data(socket: Socket<Connection>, bytes: Buffer) {
    socket.data.received(bytes);
  },
  drain(socket: Socket<Connection>) {
    socket.data.drained();
  },
  end(socket: Socket<Connection>) {
    socket.data.ended();
  },
  close(socket: Socket<Connection>, thrown?: Error) {
    socket.data.closed(thrown);
  },
  error(socket: Socket<Connection>, thrown: Error) {
    socket.data.failed(thrown);
  },
};

/** What `fetch` says of the same, which operators know. */
function unreached(thrown: unknown): Error {
  const { code = "", message } = thrown as Error & { code?: string };
  if (code === "" || message.includes(code)) return thrown as Error;
  return new Error(`${code}: Unable to connect. Is the computer able to access the url?`, {
    cause: thrown,
  });
}

/** The connections to one origin: as many as there are calls, and those that wait for the next one. */
export class Http1Pool implements ConnectionPool {
  readonly headBytesMax: number;
  readonly #limits: Http1Limits;
  readonly #clock: Clock;
  readonly #hostname: string;
  readonly #port: number;
  readonly #tls: { readonly ca?: string | undefined } | undefined;
  /** Those that nobody uses, the one that was used last at the end: it is the least likely to be stale. */
  readonly #kept: Connection[] = [];
  /** Those whose answer has come in this tick of the event loop. */
  #settling: Connection[] = [];
  /** Calls that are sent by one of those as soon as it may be. */
  #waiting: Http1Call[] = [];
  /**
   * Attempts to connect that nobody waits for any more. Bun cannot take them back: where the network swallows them,
   * each has its descriptor until the system gives up, which takes minutes.
   */
  readonly #hanging = new Set<Connection>();
  readonly #reach: Reach;
  /** Before then the vendor is taken to close behind its answers, though it does not say so. */
  #keepsFromMs = 0;

  /** `ca`: who may vouch for the vendor, instead of those whom the runtime trusts. */
  constructor(origin: string, limits: Http1Limits, clock: Clock, ca?: string) {
    const { hostname, port, protocol } = new URL(origin);
    const isSecure = protocol === "https:";
    this.headBytesMax = limits.upstream_head_bytes_max;
    this.#limits = limits;
    this.#clock = clock;
    this.#hostname = hostname.replace(/^\[|\]$/g, "");
    this.#port = port === "" ? (isSecure ? 443 : 80) : Number(port);
    this.#tls = isSecure ? { ca } : undefined;
    this.#reach = new Reach(origin);
  }

  /** How many wait for a call. */
  get kept(): number {
    return this.#kept.length + this.#settling.length;
  }

  call(request: Http1Request): Http1Call {
    const call = new Http1Call(request, this.#limits.upstream_unread_bytes_max);
    this.#send(call);
    return call;
  }

  sendAgain(call: Http1Call): void {
    this.#send(call);
  }

  /**
   * A vendor that closes behind its answer may do so with the same packet. So a connection serves the next call
   * only in the next tick of the event loop: until then it is seen whether it was closed.
   */
  keep(connection: Connection, keepMs: number | undefined): void {
    const { upstream_keep_ms, upstream_kept_max } = this.#limits;
    const own = keepMs === undefined ? upstream_keep_ms : keepMs - KEEP_MARGIN_MS;
    const forMs = Math.min(upstream_keep_ms, own);
    const nowMs = this.#clock();
    if (forMs <= 0 || this.kept >= upstream_kept_max || nowMs < this.#keepsFromMs) {
      connection.destroy();
      return;
    }
    connection.keptAtMs = nowMs;
    connection.expiresAtMs = nowMs + forMs;
    connection.rest();
    if (this.#settling.push(connection) === 1) setImmediate(this.#settle);
  }

  readonly #settle = (): void => {
    const settled = this.#settling;
    const waiting = this.#waiting;
    this.#settling = [];
    this.#waiting = [];
    for (const connection of settled) this.#kept.push(connection);
    for (const call of waiting) if (!call.isOver) this.#send(call);
  };

  wasClosed({ keptAtMs }: Connection): void {
    const nowMs = this.#clock();
    if (nowMs - keptAtMs < CLOSED_SOON_MS) this.#keepsFromMs = nowMs + NOT_KEPT_MS;
  }

  forget(connection: Connection): void {
    for (const list of [this.#settling, this.#kept]) {
      const at = list.lastIndexOf(connection);
      if (at >= 0) list.splice(at, 1);
    }
    if (!connection.isOpened) this.#hanging.add(connection);
  }

  /** Closes those that have waited for too long. */
  sweep(): void {
    const nowMs = this.#clock();
    const idle = [...this.#kept, ...this.#settling];
    for (const connection of idle) if (connection.expiresAtMs <= nowMs) connection.destroy();
  }

  #send(call: Http1Call): void {
    const nowMs = this.#clock();
    for (let kept = this.#kept.pop(); kept; kept = this.#kept.pop()) {
      if (kept.expiresAtMs <= nowMs) kept.destroy();
      else {
        kept.wake();
        if (kept.send(call)) return;
      }
    }
    if (this.#settling.length > this.#waiting.length) this.#waiting.push(call);
    else if (this.#hanging.size < HANGING_MAX) this.#connect(call);
    else this.#connectOnceReached(call);
  }

  /** All calls that come meanwhile wait for one socket, which can be closed. */
  #connectOnceReached(call: Http1Call): void {
    const connect = () => {
      if (!call.isOver) this.#connect(call);
    };
    const fail = (thrown: unknown) => call.fail(thrown);
    this.#reach.prove(this.#limits.upstream_connect_ms).then(connect, fail);
  }

  #connect(call: Http1Call): void {
    const hostname = this.#hostname;
    const connection = new Connection(this, call, this.#tls && hostname);
    connection.connectWithin(this.#limits.upstream_connect_ms);
    const options: TCPSocketConnectOptions<Connection> = {
      hostname,
      port: this.#port,
      data: connection,
      socket: HANDLERS,
    };
    Bun.connect<Connection>(this.#tls ? { ...options, tls: this.#secured(hostname) } : options)
      .catch((thrown: unknown) => connection.failed(unreached(thrown)))
      .finally(() => this.#hanging.delete(connection));
  }

  /** The vendor is told whom it is taken for, unless that is an address, and must prove that it is. */
  #secured(hostname: string): Bun.TLSOptions {
    const { ca } = this.#tls ?? {};
    return {
      rejectUnauthorized: true,
      ALPNProtocols: ALPN,
      ...(isIP(hostname) === 0 && { serverName: hostname }),
      ...(ca !== undefined && { ca }),
    };
  }
}
