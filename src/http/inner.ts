import type { BunRequest, Server } from "bun";
import type { BodyMemory } from "../lib/bodies/body-memory.ts";
import type { Incoming } from "../lib/route.ts";
import { Arriving } from "./arriving.ts";
import { UNLIMITED } from "./idle-timeouts.ts";

/**
 * What one half of the server tells the other beside a request, over a socket that nobody else reaches. What
 * clients send under these names goes no further.
 */
const INNER_PREFIX = "x-faregate-inner-";
const ID = `${INNER_PREFIX}id`;
const ADDRESS = `${INNER_PREFIX}address`;
/** Which of several gates it was. */
export const INNER_GATE = `${INNER_PREFIX}gate`;
/** The name of a fault, which its body does not always tell. */
export const INNER_FAULT = `${INNER_PREFIX}fault`;
/** What operators had set when the office answered. */
export const INNER_REVISION = `${INNER_PREFIX}revision`;

/** The other half's request, in the name of whoever sent the first one. */
export function markInner(headers: Headers, caller: Pick<Incoming, "requestId" | "address">): void {
  stripInner(headers);
  headers.set(ID, caller.requestId);
  headers.set(ADDRESS, caller.address());
}

export function stripInner(headers: Headers): void {
  for (const name of [...headers.keys()]) if (name.startsWith(INNER_PREFIX)) headers.delete(name);
}

/** A request of the other half, which says whose it is. */
export class InnerArriving extends Arriving {
  constructor(request: BunRequest, server: Server<unknown>, bodies: BodyMemory) {
    const id = request.headers.get(ID) ?? undefined;
    const around = { trustedProxies: [], idleTimeouts: UNLIMITED, bodies, peerOf: () => undefined };
    super(request, server, around, id);
  }

  /** Nobody has an address there, and the other half takes what it has asked for. */
  override isBeingAnswered(): boolean {
    return false;
  }

  override address(): string {
    return this.request.headers.get(ADDRESS) ?? "";
  }
}
