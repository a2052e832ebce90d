import type { HttpResponse } from "../../lib/net/http-response.ts";
import type { FaultFace, Route, Sent } from "../../lib/route.ts";
import { hear, type Listener } from "../../lib/threads/deferred.ts";
import { clientAddress } from "../address.ts";
import type { Answering } from "../answering.ts";
import type { Guards } from "../guards.ts";
import type { Hosts } from "../hosts.ts";
import type { IdleTimeouts } from "../idle-timeouts.ts";
import type { Connection, Direct } from "./connection.ts";
import type { DirectCall } from "./direct-call.ts";
import { DirectListener, type Port } from "./listener.ts";

/** A route that can be answered on a connection of our own, and what all of its answers are sent with. */
interface Place {
  readonly route: Route;
  readonly answer: NonNullable<Route["answer"]>;
  readonly guards: Guards;
  /** The guards as lines of a head. */
  readonly lines: string;
}

/** The server whose routes they are. */
interface Owner {
  readonly hosts: Hosts;
  readonly idleTimeouts: IdleTimeouts;
  readonly trustedProxies: readonly string[];
  readonly answering: Answering;
  guardsOf(route: Route): Guards;
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
  readonly #places: ReadonlyMap<string, Place>;

  constructor(routes: readonly Route[], owner: Owner) {
    this.#owner = owner;
    const places = routes.flatMap((route): [string, Place][] => {
      const { method, path, answer } = route;
      if (method !== "POST" || !answer) return [];
      const guards = owner.guardsOf(route);
      const lines = guards.map(([name, value]) => `${name}: ${value}\r\n`).join("");
      return [[path, { route, answer, guards, lines }]];
    });
    this.#places = new Map(places);
  }

  get isEmpty(): boolean {
    return this.#places.size === 0;
  }

  /** `behind`: the port of the server that answers all else. */
  listen(port: Port, behind: number): DirectListener<Place> {
    const { hosts, idleTimeouts, trustedProxies } = this.#owner;
    const own: Pick<Direct<Place>, "placeOf" | "answer" | "linesOf" | "addressOf" | "broke"> = {
      placeOf: (path, headers) => (hosts.allows({ headers }) ? this.#places.get(path) : undefined),
      answer: (place, call, connection) => this.#answer(place, call, connection),
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

  #answer(place: Place, call: DirectCall, connection: Connection<Place>): void {
    this.#owner.answering.began();
    hear(asked(place, call), new Waiting(this, place, call, connection));
  }

  refuse(place: Place, call: DirectCall, connection: Connection<Place>, thrown: unknown): void {
    const { requestId, request } = call;
    const face = place.route.face?.(request);
    this.give(place, call, connection, this.#owner.told(requestId, thrown, face, request));
  }

  give(
    place: Place,
    call: DirectCall,
    connection: Connection<Place>,
    response: HttpResponse,
  ): void {
    const { headers } = response;
    this.#owner.answering.ended();
    // They are said once, and by us.
    for (const [name] of place.guards) if (name in headers) delete headers[name];
    headers["x-request-id"] = call.requestId;
    const idHeader = place.route.face?.(call.request)?.requestIdHeader;
    if (idHeader) headers[idHeader] = call.requestId;
    connection.take(place, response);
  }
}

/** A call whose answer is on its way. */
class Waiting implements Listener<HttpResponse> {
  readonly #routes: DirectRoutes;
  readonly #place: Place;
  readonly #call: DirectCall;
  readonly #connection: Connection<Place>;

  constructor(routes: DirectRoutes, place: Place, call: DirectCall, connection: Connection<Place>) {
    this.#routes = routes;
    this.#place = place;
    this.#call = call;
    this.#connection = connection;
  }

  came(response: HttpResponse): void {
    this.#routes.give(this.#place, this.#call, this.#connection, response);
  }

  failed(thrown: unknown): void {
    this.#routes.refuse(this.#place, this.#call, this.#connection, thrown);
  }
}

/** Whatever a route throws is an answer that it does not give. */
function asked({ answer }: Place, call: DirectCall): PromiseLike<HttpResponse> {
  try {
    return answer(call);
  } catch (thrown) {
    return Promise.reject(thrown);
  }
}

/** The listener of such routes. */
export type DirectPort = ReturnType<DirectRoutes["listen"]>;
