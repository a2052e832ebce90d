import type { Incoming, Sent } from "../../lib/route.ts";
import { isSampled } from "../../telemetry/traces/sampler.ts";
import { newTraceId, type Span } from "../../telemetry/traces/span.ts";
import { readTraceParent } from "../../telemetry/traces/trace-context.ts";
import type { TraceSettings } from "../../telemetry/traces/trace-settings.ts";
import { operationOf } from "./gen-ai.ts";
import { RequestTrace } from "./request-trace.ts";

/** Where each wire is served; the address itself may have the name of a model in it. */
const ROUTES: Readonly<Record<string, string>> = {
  chat: "/v1/chat/completions",
  responses: "/v1/responses",
  messages: "/v1/messages",
  embeddings: "/v1/embeddings",
  gemini: "/v1beta/models/{model}",
};

/** Begins the traces of requests. There is none where nobody asked for traces. */
export class Traces {
  readonly #settings: Pick<TraceSettings, "sampling" | "tellVendors">;
  readonly #offer: (spans: readonly Span[]) => void;

  constructor(
    settings: Pick<TraceSettings, "sampling" | "tellVendors">,
    offer: (spans: readonly Span[]) => void,
  ) {
    this.#settings = settings;
    this.#offer = offer;
  }

  /** The trace of a request; undefined where it is not recorded. */
  begin(endpoint: string, incoming: Incoming<Sent>): RequestTrace | undefined {
    const { requestId, request } = incoming;
    const { headers, method } = request;
    const parent = readTraceParent(headers.get("traceparent"), headers.get("tracestate"));
    const traceId = parent?.traceId ?? newTraceId();
    const { sampling, tellVendors } = this.#settings;
    if (!isSampled(sampling, traceId, parent)) return undefined;
    const { hostname, port, protocol } = incoming.url;
    const route = ROUTES[endpoint] ?? endpoint;
    const attributes = {
      "http.request.method": method,
      "http.route": route,
      "url.scheme": protocol.slice(0, -1),
      "server.address": hostname,
      "server.port": Number(port) || undefined,
      "gen_ai.operation.name": operationOf(endpoint),
      "faregate.request.id": requestId,
    };
    const traced = { requestId, endpoint, traceId, parent, attributes, name: `${method} ${route}` };
    return new RequestTrace(traced, tellVendors, this.#offer);
  }
}
