import type { BunRequest, Server } from "bun";
import type { Config } from "../config/config.ts";
import { newId } from "../lib/ids.ts";
import type { Incoming } from "../lib/route.ts";
import { clientAddress } from "./address.ts";
import { urlOf } from "./hosts.ts";

/** A request as it comes from a connection. What few routes ask of it is found out when they do. */
export class Arriving implements Incoming {
  readonly request: BunRequest;
  readonly requestId: string;
  readonly #server: Server<unknown>;
  readonly #trustedProxies: Config["trustedProxies"];

  constructor(
    request: BunRequest,
    server: Server<unknown>,
    trustedProxies: Config["trustedProxies"],
    requestId = newId("req_"),
  ) {
    this.request = request;
    this.requestId = requestId;
    this.#server = server;
    this.#trustedProxies = trustedProxies;
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

  address(): string {
    const peer = this.#server.requestIP(this.request)?.address;
    return clientAddress(peer, this.request.headers.get("x-forwarded-for"), this.#trustedProxies);
  }
}
