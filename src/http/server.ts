import type { BunRequest, Server } from "bun";
import type { Config } from "../config.ts";
import { asFault, Fault } from "../lib/faults.ts";
import { newId } from "../lib/ids.ts";
import type { Incoming, Route } from "../lib/route.ts";
import type { Log } from "../telemetry/log.ts";
import { clientAddress } from "./address.ts";
import { faultResponse } from "./errors.ts";

interface HttpOptions {
  readonly config: Config;
  readonly log: Log;
  readonly routes: readonly Route[];
  /** Throws when the process cannot serve. */
  ready(): Promise<void>;
}

type Handler = (request: BunRequest, server: Server<undefined>) => Promise<Response> | Response;

type Table = Record<string, Record<string, Handler>>;

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];
const PATH_CHARS_SHOWN = 200;

/** Whether a path fits a pattern such as `/v1/models/:id`. */
function fits(pattern: string, path: string): boolean {
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
  readonly #server: Server<undefined>;
  #stopping = false;

  constructor(options: HttpOptions) {
    this.#options = options;
    const { config } = options;
    this.#server = Bun.serve({
      hostname: config.host,
      port: config.port,
      // Bun would answer an oversized body itself, without a word and before the key is checked.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      // For clients that stop sending. Models think for longer; routes lift it once a body is there.
      idleTimeout: Math.ceil(config.limits.upload_idle_ms / 1000),
      routes: this.#closed(this.#table()),
      fetch: (request) => this.#fail(newId("req_"), this.#unrouted(request)),
    });
  }

  get port(): number {
    return this.#server.port ?? 0;
  }

  #table(): Table {
    const table: Table = {
      "/healthz": { GET: () => Response.json({ status: "ok" }) },
      "/readyz": { GET: () => this.#readiness() },
    };
    for (const route of this.#options.routes) {
      const methods = table[route.path] ?? {};
      methods[route.method] = (request, server) => this.#handle(route, request, server);
      table[route.path] = methods;
    }
    return table;
  }

  /** A literal path keeps all its methods, or a pattern such as `/v1/responses/:id` would take them. */
  #closed(table: Table): Table {
    for (const [path, methods] of Object.entries(table)) {
      if (path.includes(":")) continue;
      for (const method of METHODS) {
        methods[method] ??= (request) => this.#fail(newId("req_"), this.#unrouted(request));
      }
    }
    return table;
  }

  #incoming(request: BunRequest, server: Server<undefined>): Incoming {
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

  async #handle(route: Route, request: BunRequest, server: Server<undefined>): Promise<Response> {
    const incoming = this.#incoming(request, server);
    try {
      const response = await route.handle(incoming);
      response.headers.set("x-request-id", incoming.requestId);
      return response;
    } catch (thrown) {
      return this.#fail(incoming.requestId, thrown);
    }
  }

  /** No route took the request: the path is unknown, or known by other methods. */
  #unrouted({ method, url }: Request): Fault {
    const path = new URL(url).pathname;
    const shown = path.slice(0, PATH_CHARS_SHOWN);
    const table = this.#table();
    const literal = table[path];
    const allowed = literal
      ? Object.keys(literal)
      : Object.entries(table)
          .filter(([pattern]) => fits(pattern, path))
          .flatMap(([, methods]) => Object.keys(methods));
    if (allowed.length === 0)
      return new Fault("unknown_url", `Unknown request URL: ${method} ${shown}.`);
    const allow = allowed.join(", ");
    const message = `Method ${method} is not allowed on ${shown}; use ${allow}.`;
    return new Fault("method_not_allowed", message, { headers: { allow } });
  }

  #fail(requestId: string, thrown: unknown): Response {
    const fault = asFault(thrown);
    if (fault.status === 500) this.#options.log.error("request_broke", { requestId, thrown });
    const response = faultResponse(fault);
    response.headers.set("x-request-id", requestId);
    return response;
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
    const late = Bun.sleep(limits.shutdown_drain_ms).then(() => this.#server.stop(true));
    await Promise.race([drained, late]);
  }
}
