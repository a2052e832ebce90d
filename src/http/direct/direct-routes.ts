import type { HttpResponse } from "../../lib/net/http-response.ts";
import type { FaultFace, Route, Sent } from "../../lib/route.ts";
import { hear, type Listener } from "../../lib/threads/deferred.ts";
import { clientAddress } from "../address.ts";
import type { Answering } from "../answering.ts";
import type { Hosts } from "../hosts.ts";
import type { IdleTimeouts } from "../idle-timeouts.ts";
import type { SecurityHeaders } from "../security-headers.ts";
import type { Connection, Direct } from "./connection.ts";
import type { DirectCall } from "./direct-call.ts";
import { DirectListener, type Port } from "./listener.ts";

/** A route that our own connections serve, and the headers of all its responses. */
interface Target {
  readonly route: Route;
  readonly answer: NonNullable<Route["answer"]>;
  readonly securityHeaders: SecurityHeaders;
  /** The guards as lines of a head. */
  readonly lines: string;
}

/** The server whose routes they are. */
interface Owner {
  readonly hosts: Hosts;
  readonly idleTimeouts: IdleTimeouts;
  readonly trustedProxies: readonly string[];
  readonly answering: Answering;
  securityHeadersOf(route: Route): SecurityHeaders;
  /** What is said of something that was thrown. */
  told(requestId: string, thrown: unknown, face?: FaultFace, request?: Sent): HttpResponse;
  /** The last frames of a WebSocket whose client sent a message that is too large. */
  readonly closeWithReason: Uint8Array;
  /** Something was thrown while a connection was served, which has ended it. */
  broke(thrown: unknown): void;
}

/** The routes of a server that are answered without a request or an answer of the runtime's. */
export class DirectRoutes {
  readonly #owner: Owner;
  readonly #targets: ReadonlyMap<string, Target>;

  constructor(routes: readonly Route[], owner: Owner) {
    this.#owner = owner;
    const targets = routes.flatMap((route): [string, Target][] => {
      const { method, path, answer } = route;
      if (method !== "POST" || !answer) return [];
      const securityHeaders = owner.securityHeadersOf(route);
      const lines = securityHeaders.map(([name, value]) => `${name}: ${value}\r\n`).join("");
      return [[path, { route, answer, securityHeaders, lines }]];
    });
    this.#targets = new Map(targets);
  }

  get isEmpty(): boolean {
    return this.#targets.size === 0;
  }

  /** `behind`: the port of the server that answers all else. */
  listen(port: Port, behind: number): DirectListener<Target> {
    const { hosts, idleTimeouts, trustedProxies } = this.#owner;
    const own: Pick<Direct<Target>, "targetOf" | "answer" | "linesOf" | "addressOf" | "broke"> = {
      targetOf: (path, headers) =>
        hosts.allows({ headers }) ? this.#targets.get(path) : undefined,
      answer: (target, call, connection) => this.#answer(target, call, connection),
      linesOf: ({ lines }) => lines,
      addressOf: (peer, forwardedFor) => clientAddress(peer, forwardedFor, trustedProxies),
      broke: (thrown) => this.#owner.broke(thrown),
    };
    const { upload, keep } = idleTimeouts;
    const { closeWithReason } = this.#owner;
    return new DirectListener(port, {
      ...own,
      ...{ behind, closeWithReason, uploadMs: upload * 1_000, keepMs: keep * 1_000 },
    });
  }

  #answer(target: Target, call: DirectCall, connection: Connection<Target>): void {
    this.#owner.answering.began();
    hear(asked(target, call), new Waiting(this, target, call, connection));
  }

  refuse(target: Target, call: DirectCall, connection: Connection<Target>, thrown: unknown): void {
    const { requestId, request } = call;
    const face = target.route.face?.(request);
    this.give(target, call, connection, this.#owner.told(requestId, thrown, face, request));
  }

  give(
    target: Target,
    call: DirectCall,
    connection: Connection<Target>,
    response: HttpResponse,
  ): void {
    const { headers } = response;
    this.#owner.answering.ended();
    // They are said once, and by us.
    for (const [name] of target.securityHeaders) if (name in headers) delete headers[name];
    headers["x-request-id"] = call.requestId;
    const idHeader = target.route.face?.(call.request)?.requestIdHeader;
    if (idHeader) headers[idHeader] = call.requestId;
    connection.take(target, response);
  }
}

/** A call whose answer is on its way. */
class Waiting implements Listener<HttpResponse> {
  readonly #routes: DirectRoutes;
  readonly #target: Target;
  readonly #call: DirectCall;
  readonly #connection: Connection<Target>;

  constructor(
    routes: DirectRoutes,
    target: Target,
    call: DirectCall,
    connection: Connection<Target>,
  ) {
    this.#routes = routes;
    this.#target = target;
    this.#call = call;
    this.#connection = connection;
  }

  came(response: HttpResponse): void {
    this.#routes.give(this.#target, this.#call, this.#connection, response);
  }

  failed(thrown: unknown): void {
    this.#routes.refuse(this.#target, this.#call, this.#connection, thrown);
  }
}

/** Whatever a route throws is an answer that it does not give. */
function asked({ answer }: Target, call: DirectCall): PromiseLike<HttpResponse> {
  try {
    return answer(call);
  } catch (thrown) {
    return Promise.reject(thrown);
  }
}

/** The listener of such routes. */
export type DirectPort = ReturnType<DirectRoutes["listen"]>;
