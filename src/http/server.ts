import type { BunRequest, Server } from "bun";
import { originsOf } from "../accounts/sign-in/origins.ts";
import { BodyMemory } from "../lib/bodies/body-memory.ts";
import { atMost, systemClock } from "../lib/clock.ts";
import { asFault, Fault, isCutOff } from "../lib/faults.ts";
import { newId } from "../lib/ids.ts";
import type { HttpResponse } from "../lib/net/http-response.ts";
import type { FaultFace, Route, Sent, SocketRoute } from "../lib/route.ts";
import { Answering } from "./answering.ts";
import { Arriving, type Surroundings } from "./arriving.ts";
import { bindAddressOf } from "./bind-address.ts";
import { type DirectPort, DirectRoutes } from "./direct/direct-routes.ts";
import { faultAnswer } from "./errors.ts";
import { healthRoutes } from "./health-routes.ts";
import { Hosts, urlOf } from "./hosts.ts";
import type { HttpOptions } from "./http-options.ts";
import { type IdleTimeouts, idleTimeoutsOf, UNLIMITED } from "./idle-timeouts.ts";
import { INNER_FAULT, InnerArriving } from "./inner.ts";
import { Pages } from "./pages.ts";
import { methodsOf, paramsOf, routesAt, tidied } from "./route-table.ts";
import { type SecurityHeaders, securityHeadersOf } from "./security-headers.ts";
import { closeWithReason, type SocketData, socketHandler } from "./sockets.ts";
import { isOfOpenRouter, nowhere, routesOf, VERSIONED } from "./unrouted.ts";
import { watchedAnswer } from "./watched-answer.ts";

type BunServer = Server<SocketData>;

type Answered = Response | undefined;

type Handler = (request: BunRequest, server: BunServer) => Promise<Answered> | Answered;

type Table = Record<string, Record<string, Handler>>;

/** What a route's answers have in common, whether they are answers or faults. */
type Dress = Pick<Route, "face" | "pages"> & {
  readonly securityHeaders: SecurityHeaders;
  /** Pages say how long ago something was, and must not go by the clock of whoever looks at them. */
  readonly timed: boolean;
};

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];
const TIME_HEADER = "x-faregate-time";
/** How often a server that stops looks whether anything is still being answered. */
const QUIET_LOOK_MS = 50;

/**
 * The server: hands requests to the routes of the rooms, writes errors, drains when it is asked to
 * stop. Bun matches the routes natively, which costs a request nothing.
 */
export class HttpServer {
  readonly #options: HttpOptions;
  readonly #routes: readonly Route[];
  readonly #handlers: Table;
  readonly #server: BunServer;
  /** The port, where plain calls of models are answered without the server behind it. */
  readonly #direct: DirectPort | undefined;
  readonly #sockets: ReturnType<typeof socketHandler>;
  readonly #hosts: Hosts;
  readonly #pages: Pages;
  readonly #idleTimeouts: IdleTimeouts;
  #stopping = false;
  readonly #answering = new Answering();
  readonly #around: Surroundings;

  constructor(options: HttpOptions) {
    this.#options = options;
    const { config } = options;
    const health = healthRoutes({ ready: options.ready, isStopping: () => this.#stopping });
    this.#routes = [...health, ...options.routes];
    const messageBytesMax = Math.max(0, ...options.sockets.map((route) => route.messageBytesMax));
    this.#sockets = socketHandler(messageBytesMax);
    const own = () => originsOf({ ...config, port: options.ownPort ?? this.port }).trusted;
    this.#hosts = new Hosts(own);
    this.#pages = new Pages(config.cors, own);
    this.#idleTimeouts = options.socket === undefined ? idleTimeoutsOf(config.limits) : UNLIMITED;
    this.#around = {
      trustedProxies: config.trustedProxies,
      idleTimeouts: this.#idleTimeouts,
      bodies: new BodyMemory(config.limits, systemClock),
      // The other end of what was passed on is never the machine itself.
      peerOf: ({ address, port }) => (this.#direct ? this.#direct.peerAt(port) : address),
    };
    this.#handlers = this.#table();
    const routes = this.#directRoutes();
    const isDirect = options.socket === undefined && config.listener === "own" && !routes.isEmpty;
    this.#server = Bun.serve<SocketData>({
      ...bindAddressOf({ ...options, isBehind: isDirect, idleTimeout: this.#idleTimeouts.upload }),
      // Bun would answer an oversized body itself, without a word and before the key is checked.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      routes: this.#closed(this.#table()),
      fetch: (request, server) => this.#asMeant(request, server),
      websocket: this.#sockets,
      // Else Bun answers what it did not expect with a page that shows our source.
      development: false,
      error: (thrown) => this.#fail(newId("req_"), thrown),
    });
    this.#direct = isDirect ? this.#listenDirectly(routes) : undefined;
  }

  /** The routes that can be answered on a connection of our own. */
  #directRoutes(): DirectRoutes {
    const { sockets, config } = this.#options;
    return new DirectRoutes(this.#routes, {
      ...{ hosts: this.#hosts, idleTimeouts: this.#idleTimeouts },
      ...{ trustedProxies: config.trustedProxies, answering: this.#answering },
      closeWithReason: closeWithReason(sockets[0]?.tooLarge),
      securityHeadersOf: (route) => this.#dressOf(route.path, route).securityHeaders,
      told: (...said) => this.#told(...said),
      broke: (thrown) => this.#options.log.error("connection_broke", { thrown }),
    });
  }

  #listenDirectly(routes: DirectRoutes): DirectPort {
    const { config, sharesPort: isShared = false } = this.#options;
    const { host: hostname, port } = config;
    try {
      return routes.listen({ hostname, port, isShared }, this.#server.port ?? 0);
    } catch (thrown) {
      void this.#server.stop(true);
      throw thrown;
    }
  }

  get port(): number {
    return this.#direct?.port ?? this.#server.port ?? 0;
  }

  /** How much is being answered, that of clients who have left included. */
  get running(): number {
    return this.#answering.count;
  }

  /** All that is mounted, but for what turns into a connection. */
  get routes(): readonly Route[] {
    return this.#routes;
  }

  /** What is mounted, and what is passed on, by which a near miss is told. */
  get #known(): readonly Route[] {
    const paths = this.#options.remote?.paths ?? [];
    const handle = async () => new Response();
    return [...this.#routes, ...paths.map((path) => ({ method: "GET", path, handle }) as const)];
  }

  #table(): Table {
    const table: Table = {};
    for (const route of this.#routes) {
      const methods = table[route.path] ?? {};
      const dress = this.#dressOf(route.path, route);
      methods[route.method] = (request, server) => this.#handle(route, dress, request, server);
      if (route.pages === "allowed" && this.#pages.open) {
        methods.OPTIONS ??= (request) => {
          const allowed = methodsOf(routesAt(this.#routes, route.path));
          return this.#preflight(dress, allowed, request);
        };
      }
      table[route.path] = methods;
    }
    for (const path of this.#options.remote?.paths ?? []) table[path] = this.#passedOn(path);
    for (const route of this.#options.sockets) {
      const methods = table[route.path] ?? {};
      const dress = this.#dressOf(route.path);
      methods.GET = (request, server) => this.#connect(route, dress, request, server);
      table[route.path] = methods;
    }
    return table;
  }

  #dressOf(path: string, route: Pick<Route, "face" | "pages"> = {}): Dress {
    const securityHeaders = securityHeadersOf(path, this.#options.config.publicUrl);
    const { face, pages } = route;
    const timed = path.startsWith("/api/") && !isOfOpenRouter(path);
    return { securityHeaders, timed, ...(face && { face }), ...(pages && { pages }) };
  }

  /** What every answer of a route is sent with, a fault's included. */
  #dressed(
    response: Response,
    { securityHeaders, timed, pages }: Dress,
    request: Request,
  ): Response {
    const { headers } = response;
    for (const [name, value] of securityHeaders) headers.set(name, value);
    if (timed) headers.set(TIME_HEADER, new Date(systemClock()).toISOString());
    if (pages === "allowed") this.#pages.allow(request, headers);
    this.#options.adorn?.(headers);
    return response;
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

  #arriving(request: BunRequest, server: BunServer): Arriving {
    const around = this.#around;
    if (this.#options.socket === undefined) return new Arriving(request, server, around);
    return new InnerArriving(request, server, around.bodies);
  }

  async #handle(
    route: Route,
    dress: Dress,
    request: BunRequest,
    server: BunServer,
  ): Promise<Response> {
    const incoming = this.#arriving(request, server);
    this.#answering.began();
    try {
      this.#hosts.check(request);
      if (route.hosts === "own") this.#hosts.requireOwn(request);
      if (route.pages === "listed") this.#pages.requireListed(request);
      const response = await route.handle(incoming);
      response.headers.set("x-request-id", incoming.requestId);
      const idHeader = route.face?.(request)?.requestIdHeader;
      if (idHeader) response.headers.set(idHeader, incoming.requestId);
      return this.#dressed(incoming.forgottenWith(response), dress, request);
    } catch (thrown) {
      incoming.forget();
      const face = route.face?.(request);
      return this.#dressed(this.#fail(incoming.requestId, thrown, face, request), dress, request);
    } finally {
      incoming.answering();
      this.#answering.ended();
    }
  }

  #preflight(dress: Dress, methods: string, request: Request): Response {
    const requestId = newId("req_");
    try {
      this.#hosts.check(request);
      const response = this.#pages.preflight(request, methods);
      response.headers.set("x-request-id", requestId);
      return this.#dressed(response, dress, request);
    } catch (thrown) {
      return this.#dressed(this.#fail(requestId, thrown, dress.face?.(request)), dress, request);
    }
  }

  /** Everything that is asked of a path goes on as it is, to whoever dresses the answers. */
  #passedOn(path: string): Record<string, Handler> {
    const { remote } = this.#options;
    const places = remote?.paths.map((each) => ({ path: each })) ?? [];
    const pass: Handler = async (request, server) => {
      // A malformed host makes no address. The check below refuses it.
      const isModels =
        this.#hosts.allows(request) && isOfOpenRouter(tidied(urlOf(request).pathname));
      if (isModels) return this.#asMeant(request, server);
      const incoming = this.#arriving(request, server);
      this.#answering.began();
      try {
        this.#hosts.check(request);
        // What is matched is the text of the path; as an address it may lead out of there.
        if (routesAt(places, incoming.url.pathname).length === 0) return this.#unrouted(request);
        const response = await remote?.answer(incoming);
        return response && watchedAnswer(response, () => incoming.answering());
      } catch (thrown) {
        incoming.answering();
        const failed = this.#fail(incoming.requestId, thrown, undefined, request);
        return this.#dressed(failed, this.#dressOf(path), request);
      } finally {
        incoming.forget();
        this.#answering.ended();
      }
    };
    return Object.fromEntries([...METHODS, "HEAD", "OPTIONS"].map((method) => [method, pass]));
  }

  async #connect(
    route: SocketRoute,
    dress: Dress,
    request: BunRequest,
    server: BunServer,
  ): Promise<Answered> {
    if (request.headers.get("upgrade")?.toLowerCase() !== "websocket") {
      return this.#unrouted(request);
    }
    const incoming = this.#arriving(request, server);
    const { requestId, params } = incoming;
    // Asked now: once the connection is upgraded the server no longer knows.
    const address = incoming.address();
    let accepted: Awaited<ReturnType<SocketRoute["accept"]>> | undefined;
    try {
      this.#hosts.check(request);
      this.#pages.requireListed(request);
      accepted = await route.accept({
        ...{ request, requestId, params, url: incoming.url },
        keepOpen: () => incoming.keepOpen(),
        isBeingAnswered: () => incoming.isBeingAnswered(),
        address: () => address,
      });
      const headers = { "x-request-id": incoming.requestId };
      if (server.upgrade(request, { data: { accepted }, headers })) return undefined;
      throw new Fault("invalid_value", "The WebSocket handshake is not valid.", {
        param: "upgrade",
      });
    } catch (thrown) {
      accepted?.leave();
      return this.#dressed(this.#fail(incoming.requestId, thrown), dress, request);
    }
  }

  /** A path of models with a slash too many, answered as the one that was meant. */
  #asMeant(request: Request, server: BunServer): ReturnType<Handler> {
    const path = this.#hosts.allows(request) ? urlOf(request).pathname : "/";
    const meant = tidied(path);
    if (meant === path || !VERSIONED.test(meant)) return this.#unrouted(request);
    const routes = Object.keys(this.#handlers).map((pattern) => ({ path: pattern }));
    for (const { path: pattern } of routesOf(routes, meant)) {
      const handler = this.#handlers[pattern]?.[request.method];
      if (!handler) continue;
      // Nothing else of what Bun adds to a request that it has matched is read here.
      Object.defineProperty(request, "params", { value: paramsOf(pattern, meant) });
      return handler(request as BunRequest, server);
    }
    return this.#unrouted(request);
  }

  /** No route took the request: the path is unknown, or known by other methods. */
  #unrouted(request: Request): Response {
    const requestId = newId("req_");
    try {
      this.#hosts.check(request);
    } catch (thrown) {
      return this.#dressed(this.#fail(requestId, thrown), this.#dressOf("/"), request);
    }
    const path = urlOf(request).pathname;
    const { unrouted } = this.#options;
    const toldOf = unrouted && (() => unrouted(request, path));
    const { fault, face, pages } = nowhere(this.#known, request, path, toldOf);
    const dress = this.#dressOf(path, { ...(pages && { pages }) });
    // A browser asks whether it may call before it hears that nothing is there.
    const isAsked = request.method === "OPTIONS" && pages === "allowed" && fault.status === 404;
    if (isAsked && this.#pages.open) return this.#preflight(dress, METHODS.join(", "), request);
    return this.#dressed(this.#fail(requestId, fault, face), dress, request);
  }

  #fail(requestId: string, thrown: unknown, face?: FaultFace, request?: Request): Response {
    return this.#told(requestId, thrown, face, request).response();
  }

  /** What is said of something that was thrown. */
  #told(
    requestId: string,
    thrown: unknown,
    face?: FaultFace,
    request?: Pick<Sent, "signal">,
  ): HttpResponse {
    const fault = asFault(thrown);
    const isOurs = fault.status === 500 && !isCutOff(thrown, request);
    if (isOurs) this.#options.log.error("request_broke", { requestId, thrown });
    const answer = faultAnswer(fault, requestId, face);
    if (this.#options.socket !== undefined) answer.headers[INNER_FAULT] = fault.fault;
    return answer;
  }

  /** Takes no new connections, and ends when no client waits or it is late. Requests that clients have left may go on. */
  async stop(drainMs = this.#options.config.limits.shutdown_drain_ms): Promise<void> {
    const { limits } = this.#options.config;
    this.#stopping = true;
    if (this.#options.socket === undefined) await Bun.sleep(limits.shutdown_delay_ms);
    const direct = this.#direct?.stop();
    const drained = this.#server.stop();
    this.#sockets.stop();
    const lateAtMs = performance.now() + drainMs;
    await atMost(Promise.all([Promise.race([drained, this.#quiet()]), direct]), drainMs);
    await this.#server.stop(true);
    await this.#direct?.end(lateAtMs - performance.now());
  }

  /** Resolves when no request runs, those of clients that have left included. */
  finished(): Promise<void> {
    return this.#answering.over();
  }

  /**
   * Resolves once no client waits. Bun waits for every connection that is not idle, and one
   * whose body was refused unread never is: its client may go on sending, or not, for as long as it may
   * be silent.
   */
  async #quiet(): Promise<void> {
    const server = this.#server;
    do await Bun.sleep(QUIET_LOOK_MS);
    while (server.pendingRequests + server.pendingWebSockets > 0);
  }
}
