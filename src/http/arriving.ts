import type { BunRequest, Server } from "bun";
import type { Config } from "../config/config.ts";
import type { BodyMemory, RequestMemory } from "../lib/bodies/body-memory.ts";
import { newId } from "../lib/ids.ts";
import type { Incoming } from "../lib/route.ts";
import { clientAddress } from "./address.ts";
import { urlOf } from "./hosts.ts";
import type { IdleTimeouts } from "./idle-timeouts.ts";
import { watchedAnswer } from "./watched-answer.ts";

/** The other end of a connection, as the runtime sees it. */
export interface Peer {
  readonly address: string;
  readonly port: number;
}

/** What all requests of a server have in common. */
export interface Surroundings {
  readonly trustedProxies: Config["trustedProxies"];
  readonly idleTimeouts: IdleTimeouts;
  readonly bodies: BodyMemory;
  peerOf(peer: Peer): string | undefined;
}

/** A request as it comes from a connection. What few routes ask of it is found out when they do. */
export class Arriving implements Incoming {
  readonly request: BunRequest;
  readonly requestId: string;
  readonly #server: Server<unknown>;
  readonly #around: Surroundings;
  #memory: RequestMemory | undefined;

  constructor(
    request: BunRequest,
    server: Server<unknown>,
    around: Surroundings,
    requestId = newId("req_"),
  ) {
    this.request = request;
    this.requestId = requestId;
    this.#server = server;
    this.#around = around;
    // What was set for the request before it on its connection would be in force.
    if (request.method !== "GET") server.timeout(request, around.idleTimeouts.upload);
  }

  get url(): URL {
    return urlOf(this.request);
  }

  get params(): Readonly<Record<string, string>> {
    return this.request.params;
  }

  get memory(): RequestMemory {
    this.#memory ??= this.#around.bodies.ofRequest(() => this.address());
    return this.#memory;
  }

  /** Releases the memory of the body: the request has been answered. */
  forget(): void {
    this.#memory?.release();
  }

  /** The same answer; the memory of the body is released when it goes out or, of a stream of events, when that is over. */
  forgottenWith(response: Response): Response {
    return this.#memory ? watchedAnswer(response, () => this.forget()) : response;
  }

  keepOpen(): void {
    this.#server.timeout(this.request, 0);
  }

  /** An answer is about to go out, behind which the connection waits for the next request. */
  answering(): void {
    this.#server.timeout(this.request, this.#around.idleTimeouts.keep);
  }

  /** Bun forgets the address of a request when all of its answer is written, or its client has left. */
  isBeingAnswered(): boolean {
    return this.#server.requestIP(this.request) !== null;
  }

  address(): string {
    const seen = this.#server.requestIP(this.request);
    const peer = seen ? this.#around.peerOf(seen) : undefined;
    return clientAddress(
      peer,
      this.request.headers.get("x-forwarded-for"),
      this.#around.trustedProxies,
    );
  }
}
