import { type Context, Hono } from "hono";
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

interface Env {
  Bindings: { server: Bun.Server<undefined> };
}

function incomingOf(context: Context<Env>, config: Config): Incoming {
  const { raw } = context.req;
  return {
    request: raw,
    requestId: newId("req_"),
    get url() {
      return new URL(raw.url);
    },
    params: context.req.param() as Record<string, string>,
    keepOpen() {
      context.env.server.timeout(raw, 0);
    },
    address() {
      const peer = context.env.server.requestIP(raw)?.address;
      return clientAddress(peer, raw.headers.get("x-forwarded-for"), config.trustedProxies);
    },
  };
}

function unknownRoute(method: string, path: string): Fault {
  return new Fault("unknown_url", `Unknown request URL: ${method} ${path.slice(0, 200)}.`);
}

function wrongMethod(method: string, path: string, allowed: readonly string[]): Fault {
  const allow = allowed.join(", ");
  return new Fault(
    "method_not_allowed",
    `Method ${method} is not allowed on ${path}; use ${allow}.`,
    {
      headers: { allow },
    },
  );
}

/** The server: mounts the routes of the rooms, writes errors, drains when it is asked to stop. */
export class HttpServer {
  readonly #options: HttpOptions;
  readonly #server: Bun.Server<undefined>;
  #stopping = false;

  constructor(options: HttpOptions) {
    this.#options = options;
    const { config } = options;
    const app = this.#app();
    this.#server = Bun.serve({
      hostname: config.host,
      port: config.port,
      // Bun would answer an oversized body itself, without a word and before the key is checked.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      // For clients that stop sending. Models think for longer; routes lift it once a body is there.
      idleTimeout: Math.ceil(config.limits.upload_idle_ms / 1000),
      fetch: (request, server) => app.fetch(request, { server }),
    });
  }

  get port(): number {
    return this.#server.port ?? 0;
  }

  #app(): Hono<Env> {
    const app = new Hono<Env>();
    app.get("/healthz", (context) => context.json({ status: "ok" }));
    app.get("/readyz", () => this.#readiness());
    const methods = new Map<string, string[]>();
    for (const route of this.#options.routes) {
      app.on(route.method, route.path, (context) => this.#handle(context, route));
      methods.set(route.path, [...(methods.get(route.path) ?? []), route.method]);
    }
    for (const [path, allowed] of methods) {
      app.all(path, (context) =>
        this.#fail(newId("req_"), wrongMethod(context.req.method, context.req.path, allowed)),
      );
    }
    app.notFound((context) =>
      this.#fail(newId("req_"), unknownRoute(context.req.method, context.req.path)),
    );
    return app;
  }

  async #handle(context: Context<Env>, route: Route): Promise<Response> {
    const incoming = incomingOf(context, this.#options.config);
    let response: Response;
    try {
      response = await route.handle(incoming);
    } catch (thrown) {
      return this.#fail(incoming.requestId, thrown);
    }
    response.headers.set("x-request-id", incoming.requestId);
    return response;
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
