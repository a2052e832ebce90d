import type { BunRequest, Server } from "bun";
import type { Config } from "../config/config.ts";
import { newId } from "../lib/ids.ts";
import type { Incoming } from "../lib/route.ts";
import { clientAddress } from "./address.ts";
import { urlOf } from "./hosts.ts";
import type { Silences } from "./silences.ts";

/** The other end of a connection, as the runtime sees it. */
export interface Peer {
  readonly address: string;
  readonly port: number;
}

/** A request as it comes from a connection. What few routes ask of it is found out when they do. */
export class Arriving implements Incoming {
  readonly request: BunRequest;
  readonly requestId: string;
  readonly #server: Server<unknown>;
  readonly #peerOf: (peer: Peer) => string | undefined;
  readonly #trustedProxies: Config["trustedProxies"];
  readonly #silences: Silences;

  constructor(
    request: BunRequest,
    server: Server<unknown>,
    trustedProxies: Config["trustedProxies"],
    silences: Silences,
    peerOf: (peer: Peer) => string | undefined,
    requestId = newId("req_"),
  ) {
    this.request = request;
    this.requestId = requestId;
    this.#server = server;
    this.#peerOf = peerOf;
    this.#trustedProxies = trustedProxies;
    this.#silences = silences;
    // What was set for the request before it on its connection would be in force.
    if (request.method !== "GET") server.timeout(request, silences.upload);
  }

  get url(): URL {
    return urlOf(this.request);
  }

  get params(): Readonly<Record<string, string>> {
    return this.request.params;
  }

  keepOpen(): void {
    this.#server.timeout(this.request, 0);
  }

  /** An answer is about to go out, behind which the connection waits for the next request. */
  answering(): void {
    this.#server.timeout(this.request, this.#silences.keep);
  }

  /** Bun forgets the address of a request when all of its answer is written, or its client has left. */
  isBeingAnswered(): boolean {
    return this.#server.requestIP(this.request) !== null;
  }

  address(): string {
    const seen = this.#server.requestIP(this.request);
    const peer = seen ? this.#peerOf(seen) : undefined;
    return clientAddress(peer, this.request.headers.get("x-forwarded-for"), this.#trustedProxies);
  }
}
