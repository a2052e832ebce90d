// Servers with routes that say what they were asked, by either listener: what one answers, the other has to.
import { readConfig } from "../../../src/config/config.ts";
import { HttpServer } from "../../../src/http/server.ts";
import { Fault } from "../../../src/lib/faults.ts";
import {
  HttpResponse,
  type ResponseBody,
  type StreamBody,
  type StreamClient,
} from "../../../src/lib/net/http-response.ts";
import type { Incoming, Route, Sent } from "../../../src/lib/route.ts";
import type { Log } from "../../../src/telemetry/log.ts";
import { SILENT } from "../logs.ts";
import type { Parts } from "./house.ts";

export const LISTENERS = ["own", "bun"] as const;
export type Listener = (typeof LISTENERS)[number];

/** What an answer tells of the fields of its request. */
const TOLD = [
  ...["host", "authorization", "content-type", "content-length", "x-api-key", "x-forwarded-for"],
  ...["user-agent", "accept", "x-one", "cookie"],
];

const NOTHING = new Uint8Array();

/** Events that are there at once, one for each time that somebody asks for more. */
class Events implements StreamBody {
  #left: number;
  readonly #bytes: Uint8Array;
  #client: StreamClient | undefined;

  constructor(events: number, bytes: number) {
    this.#left = events;
    this.#bytes = Buffer.from(`data: ${"e".repeat(bytes)}\n\n`);
  }

  begin(client: StreamClient): void {
    this.#client = client;
  }

  more(): void {
    if (!this.#client) return;
    this.#left -= 1;
    // Now and then there is nothing in it.
    if (this.#left > 0) this.#client.enqueue(this.#left % 7 === 3 ? NOTHING : this.#bytes);
    else this.#end(this.#client);
  }

  #end(client: StreamClient): void {
    this.#client = undefined;
    client.finish(Buffer.from("data: [DONE]\n\n"));
  }

  leave(): void {
    this.#client = undefined;
  }
}

/** Breaks off after its first event. */
class Broken implements StreamBody {
  #client: StreamClient | undefined;

  begin(client: StreamClient): void {
    this.#client = client;
  }

  more(): void {
    const client = this.#client;
    this.#client = undefined;
    client?.enqueue(Buffer.from("data: first\n\n"));
    client?.error(new Error("broken"));
  }

  leave(): void {
    this.#client = undefined;
  }
}

const JSON_TYPE = { "content-type": "application/json" };

async function told(incoming: Incoming<Sent>): Promise<string> {
  const { request, url } = incoming;
  const { pathname, search } = url;
  const fields = TOLD.map((name) => [name, request.headers.get(name)] as const);
  const body = Buffer.from(await request.bytes()).toString("latin1");
  const { method } = request;
  const address = incoming.address();
  return JSON.stringify({ method, pathname, search, fields, body, address });
}

/** The ways in which a body can be answered, each asked for by its own name in `x-way`. */
const WAYS: Readonly<Record<string, (text: string) => ResponseBody>> = {
  bytes: (text) => new Uint8Array(Buffer.from(text)),
  blob: (text) => new Blob([text], { type: "application/json" }),
  chunks: (text) => {
    const half = text.length >> 1;
    const chunks = [text.slice(0, half), text.slice(half)].map((each) => Buffer.from(each));
    return { chunks, bytes: text.length };
  },
  words: () => "äöü 😀 \u0000 ".repeat(50),
  events: () => new Events(20, 100),
  large: () => new Events(50, 70_000),
  endless: () => new Events(2_000, 70_000),
  none: () => new Events(1, 0),
  broken: () => new Broken(),
};

/** Fields of an answer that are odd, by the name in `x-odd`. */
const ODD: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  guards: { "cache-control": "private", "x-content-type-options": "other" },
  ids: { "x-request-id": "another" },
  close: { connection: "close" },
};

export async function echo(incoming: Incoming<Sent>): Promise<HttpResponse> {
  const { headers } = incoming.request;
  if (headers.has("x-refuse")) throw new Fault("invalid_api_key", "No key.");
  if (headers.has("x-break")) throw new Error("a bug behind it");
  if (headers.has("x-slow")) {
    throw new Fault("request_too_slow", "Too slow.", { headers: { connection: "close" } });
  }
  const text = await told(incoming);
  incoming.keepOpen();
  const odd = ODD[headers.get("x-odd") ?? ""] ?? {};
  const way = WAYS[headers.get("x-way") ?? ""];
  return new HttpResponse(way ? way(text) : text, { ...JSON_TYPE, ...odd });
}

/** A route that is answered by whoever has the connection. */
export function callRoute(
  path: string,
  answer: (incoming: Incoming<Sent>) => Promise<HttpResponse>,
): Route {
  const face = {
    requestIdHeader: "request-id",
    body: ({ fault }: Fault, requestId: string) => JSON.stringify({ fault, requestId }),
  };
  const handle = async (incoming: Incoming) => (await answer(incoming)).response();
  return { method: "POST", path, pages: "allowed", face: () => face, answer, handle };
}

interface Served {
  readonly listener: Listener;
  readonly routes?: readonly Route[];
  readonly settings?: Readonly<Record<string, string>>;
  readonly log?: Log;
}

export function openEcho(
  parts: Parts,
  { listener, routes = [], settings = {}, log = SILENT }: Served,
): HttpServer {
  const config = readConfig({ FAREGATE_PORT: "0", FAREGATE_LISTENER: listener, ...settings });
  const plain: Route = {
    method: "POST",
    path: "/v1/plain",
    handle: async (incoming) => Response.json({ plain: await told(incoming) }),
  };
  const page: Route = {
    method: "GET",
    path: "/v1/page",
    handle: async () => Response.json({ page: true }),
  };
  const all = [callRoute("/v1/echo", echo), plain, page, ...routes];
  const ready = async () => {};
  return parts.adopt(new HttpServer({ config, log, routes: all, sockets: [], ready }), (server) =>
    server.stop(0),
  );
}
