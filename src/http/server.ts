import type { BunRequest, Server } from "bun";
import type { Config } from "../config.ts";
import { asFault, Fault } from "../lib/faults.ts";
import { newId } from "../lib/ids.ts";
import type { FaultFace, Incoming, Route, SocketRoute } from "../lib/route.ts";
import type { Log } from "../telemetry/log.ts";
import { clientAddress } from "./address.ts";
import { faultResponse } from "./errors.ts";
import { type SocketData, socketHandler } from "./sockets.ts";

interface HttpOptions {
  readonly config: Config;
  readonly log: Log;
  readonly routes: readonly Route[];
  readonly sockets: readonly SocketRoute[];
  /** Throws when the process cannot serve. */
  ready(): Promise<void>;
}

type BunServer = Server<SocketData>;

type Answer = Response | undefined;

type Handler = (request: BunRequest, server: BunServer) => Promise<Answer> | Answer;

type Table = Record<string, Record<string, Handler>>;

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];
const PATH_CHARS_SHOWN = 200;
/** How often a server that stops looks whether anything is still being answered. */
const QUIET_LOOK_MS = 50;

/** Whether a path fits a pattern such as `/v1/models/:id` or `/api/auth/*`. */
function fits(pattern: string, path: string): boolean {
  if (pattern.endsWith("/*")) return path.startsWith(pattern.slice(0, -1));
  const wanted = pattern.split("/");
  const given = path.split("/");
  if (wanted.length !== given.length) return false;
  return wanted.every((piece, i) => (piece.startsWith(":") ? given[i] !== "" : piece === given[i]));
}

/**
 * The server: hands requests to the routes of the rooms, writes errors, drains when it is asked to
 * stop. Bun matches the routes natively, which costs a request nothing.
 */
export class HttpServer {
  readonly #options: HttpOptions;
  readonly #routes: readonly Route[];
  readonly #server: BunServer;
  readonly #sockets: ReturnType<typeof socketHandler>;
  #stopping = false;
  /** Requests whose answer has not begun, those of clients that have left included. */
  #running = 0;
  #idle: (() => void) | undefined;

  constructor(options: HttpOptions) {
    this.#options = options;
    const { config } = options;
    const alive: Route = {
      method: "GET",
      path: "/healthz",
      handle: async () => Response.json({ status: "ok" }),
    };
    const ready: Route = { method: "GET", path: "/readyz", handle: () => this.#readiness() };
    this.#routes = [alive, ready, ...options.routes];
    const messageBytesMax = Math.max(0, ...options.sockets.map((route) => route.messageBytesMax));
    this.#sockets = socketHandler(messageBytesMax);
    this.#server = Bun.serve<SocketData>({
      hostname: config.host,
      port: config.port,
      // Bun would answer an oversized body itself, without a word and before the key is checked.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      // For clients that stop sending. Models think for longer; routes lift it once a body is there.
      idleTimeout: Math.ceil(config.limits.upload_idle_ms / 1000),
      routes: this.#closed(this.#table()),
      fetch: (request) => this.#unrouted(request),
      websocket: this.#sockets,
    });
  }

  get port(): number {
    return this.#server.port ?? 0;
  }

  #table(): Table {
    const table: Table = {};
    for (const route of this.#routes) {
      const methods = table[route.path] ?? {};
      methods[route.method] = (request, server) => this.#handle(route, request, server);
      table[route.path] = methods;
    }
    for (const route of this.#options.sockets) {
      const methods = table[route.path] ?? {};
      methods.GET = (request, server) => this.#connect(route, request, server);
      table[route.path] = methods;
    }
    return table;
  }

  /** A literal path keeps all its methods, or a pattern such as `/v1/responses/:id` would take them. */
  #closed(table: Table): Table {
    for (const [path, methods] of Object.entries(table)) {
      if (path.includes(":")) continue;
      for (const method of METHODS) {
        methods[method] ??= (request) => this.#unrouted(request);
      }
    }
    return table;
  }

  #incoming(request: BunRequest, server: BunServer): Incoming {
    const { trustedProxies } = this.#options.config;
    return {
      request,
      requestId: newId("req_"),
      get url() {
        return new URL(request.url);
      },
      params: request.params,
      keepOpen() {
        server.timeout(request, 0);
      },
      address() {
        const peer = server.requestIP(request)?.address;
        return clientAddress(peer, request.headers.get("x-forwarded-for"), trustedProxies);
      },
    };
  }

  async #handle(route: Route, request: BunRequest, server: BunServer): Promise<Response> {
    const incoming = this.#incoming(request, server);
    this.#running++;
    try {
      const response = await route.handle(incoming);
      response.headers.set("x-request-id", incoming.requestId);
      if (route.face?.requestIdHeader) {
        response.headers.set(route.face.requestIdHeader, incoming.requestId);
      }
      return response;
    } catch (thrown) {
      return this.#fail(incoming.requestId, thrown, route.face);
    } finally {
      this.#running--;
      if (this.#running === 0) this.#idle?.();
    }
  }

  /** Bun forgets a request whose client has left; its money must still be seen to. */
  #answered(): Promise<void> {
    if (this.#running === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#idle = resolve;
    });
  }

  async #connect(route: SocketRoute, request: BunRequest, server: BunServer): Promise<Answer> {
    if (request.headers.get("upgrade")?.toLowerCase() !== "websocket") {
      return this.#unrouted(request);
    }
    const incoming = this.#incoming(request, server);
    // Asked now: once the connection is upgraded the server no longer knows.
    const address = incoming.address();
    try {
      const open = await route.accept({ ...incoming, url: incoming.url, address: () => address });
      const headers = { "x-request-id": incoming.requestId };
      if (server.upgrade(request, { data: { open }, headers })) return undefined;
      throw new Fault("invalid_value", "The WebSocket handshake is not valid.", {
        param: "upgrade",
      });
    } catch (thrown) {
      return this.#fail(incoming.requestId, thrown);
    }
  }

  /** No route took the request: the path is unknown, or known by other methods. */
  #unrouted(request: Request): Response {
    const { method } = request;
    const path = new URL(request.url).pathname;
    const shown = path.slice(0, PATH_CHARS_SHOWN);
    const routes = this.#routes;
    const known = routes.some((route) => route.path === path)
      ? routes.filter((route) => route.path === path)
      : routes.filter((route) => fits(route.path, path));
    const allow = [...new Set(known.map((route) => route.method))].join(", ");
    const fault =
      known.length === 0
        ? new Fault("unknown_url", `Unknown request URL: ${method} ${shown}.`)
        : new Fault(
            "method_not_allowed",
            `Method ${method} is not allowed on ${shown}; use ${allow}.`,
            { headers: { allow } },
          );
    return this.#fail(newId("req_"), fault, known[0]?.face);
  }

  #fail(requestId: string, thrown: unknown, face?: FaultFace): Response {
    const fault = asFault(thrown);
    if (fault.status === 500) this.#options.log.error("request_broke", { requestId, thrown });
    return faultResponse(fault, requestId, face);
  }

  async #readiness(): Promise<Response> {
    if (this.#stopping) return Response.json({ status: "stopping" }, { status: 503 });
    try {
      await this.#options.ready();
      return Response.json({ status: "ready" });
    } catch (thrown) {
      this.#options.log.warn("not_ready", { thrown });
      return Response.json({ status: "storage unavailable" }, { status: 503 });
    }
  }

  /** Readiness off, then no new connections, then running requests to their end or the deadline. */
  async stop(): Promise<void> {
    const { limits } = this.#options.config;
    this.#stopping = true;
    await Bun.sleep(limits.shutdown_delay_ms);
    const drained = this.#server.stop();
    this.#sockets.stop();
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(late.resolve, limits.shutdown_drain_ms);
    const over = Promise.race([drained, this.#quiet()]).then(() => this.#answered());
    await Promise.race([over, late.promise]);
    clearTimeout(timer);
    await this.#server.stop(true);
  }

  /**
   * Resolves once nothing is being answered. Bun waits for every connection that is not idle, and one
   * whose body was refused unread never is: its client may go on sending, or not, for as long as it may
   * be silent.
   */
  async #quiet(): Promise<void> {
    const server = this.#server;
    do await Bun.sleep(QUIET_LOOK_MS);
    while (server.pendingRequests + server.pendingWebSockets > 0);
  }
}
