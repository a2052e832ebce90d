import { isIP } from "node:net";
import type { Incoming, Route } from "../lib/route.ts";
import { draftPage } from "./draftbox/draft-page.ts";
import type { Platform } from "./platform.ts";

interface PlatformDoor {
  /** Whether there are test controls. */
  readonly controlsOn: boolean;
  /** The address that people use, where it is not the one that they called. */
  readonly publicUrl: string | undefined;
  /** The page of an article that is public, by the query of its address. */
  articlePage?(query: URLSearchParams): Promise<Response | undefined>;
}

/** Where the platform stands on its server. */
export const BASE = "/platform";
/** With test controls, a caller may say from which address it means to come. */
const CLIENT_ADDRESS = "x-sandbox-client-ip";
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

async function handle(
  platform: Platform,
  door: PlatformDoor,
  incoming: Incoming,
  base: string,
): Promise<Response> {
  const { request, url } = incoming;
  // Addresses are put together from two halves that both bring a slash.
  const path = url.pathname.slice(base.length).replace(/\/{2,}/g, "/");
  if (request.method === "GET" && path === "/s") {
    const query = url.searchParams;
    const page = (await draftPage(platform.box, query)) ?? (await door.articlePage?.(query));
    if (page) return page;
  }
  const stated = (door.controlsOn && request.headers.get(CLIENT_ADDRESS)) || "";
  return platform.wire.handle({
    request,
    path,
    query: url.searchParams,
    address: isIP(stated) === 0 ? incoming.address() : stated,
    origin: `${door.publicUrl ?? url.origin}${BASE}`,
    keepOpen: () => incoming.keepOpen(),
    ...(incoming.memory && { memory: incoming.memory }),
  });
}

function routesAt(
  platform: Platform,
  door: PlatformDoor,
  path: string,
  base: string,
): readonly Route[] {
  const stem = path.slice(0, -1);
  const calls = platform.wire.operations
    .map((operation) => ({ ...operation, path: base + operation.path }))
    .filter((operation) => operation.path.startsWith(stem));
  return METHODS.map((method) => ({
    method,
    path,
    operations: calls.filter((operation) => operation.method === method),
    handle: (incoming) => handle(platform, door, incoming, base),
  }));
}

export function platformRoutes(platform: Platform, door: PlatformDoor): readonly Route[] {
  return routesAt(platform, door, `${BASE}/*`, BASE);
}

/**
 * The same calls where the real platform has them, for clients that can be told of another server but
 * not of another path. What they are answered names addresses below the platform's own place.
 */
export function rootRoutes(platform: Platform, door: PlatformDoor): readonly Route[] {
  const rooms = ["cgi-bin", "channels"];
  return rooms
    .flatMap((room) => [`/${room}/*`, `//${room}/*`])
    .flatMap((path) => routesAt(platform, door, path, ""));
}
