import type { FaultFace, Incoming, Route, SocketRoute } from "../lib/route.ts";
import type { PassWire } from "../protocols/wire.ts";
import { showCredits, showGeneration, showKey } from "./account-routes.ts";
import { showSubscription, showUsage } from "./billing-routes.ts";
import { compact } from "./compact-route.ts";
import { estimate } from "./estimate-route.ts";
import { callGemini, countMessageTokens } from "./foreign-routes.ts";
import { generate } from "./generate.ts";
import { listModels, showModel } from "./model-routes.ts";
import {
  countInputTokens,
  deleteResponse,
  listInputItems,
  showResponse,
} from "./response-routes.ts";
import type { Services } from "./services.ts";
import { responsesSocket } from "./socket.ts";

type Handler = (services: Services, incoming: Incoming) => Promise<Response>;

function faceOf(wire: PassWire, requestIdHeader?: string): FaultFace {
  const body: FaultFace["body"] = (fault, requestId) => wire.writeFault(fault, requestId);
  return requestIdHeader === undefined ? { body } : { body, requestIdHeader };
}

/** Every route of the gateway. Tests are generated from this table. */
export function gatewayRoutes(services: Services): readonly Route[] {
  const { chat, responses, messages, gemini, embeddings } = services.wires;
  const route = (method: Route["method"], path: string, handler: Handler): Route => ({
    method,
    path,
    pages: "allowed",
    handle: (incoming) => handler(services, incoming),
  });
  const anthropic = faceOf(messages, "request-id");
  const google = faceOf(gemini);
  return [
    route("POST", "/v1/responses", (s, incoming) => generate(s, responses, incoming)),
    route("POST", "/v1/chat/completions", (s, incoming) => generate(s, chat, incoming)),
    route("POST", "/v1/embeddings", (s, incoming) => generate(s, embeddings, incoming)),
    {
      ...route("POST", "/v1/messages", (s, incoming) => generate(s, messages, incoming)),
      face: anthropic,
    },
    {
      ...route("POST", "/v1/messages/count_tokens", countMessageTokens),
      face: anthropic,
    },
    { ...route("POST", "/v1beta/models/:call", callGemini), face: google },
    route("POST", "/v1/responses/input_tokens", countInputTokens),
    route("POST", "/v1/responses/compact", compact),
    route("POST", "/v1/estimate", estimate),
    route("GET", "/v1/responses/:id", showResponse),
    route("DELETE", "/v1/responses/:id", deleteResponse),
    route("GET", "/v1/responses/:id/input_items", listInputItems),
    route("GET", "/v1/models", listModels),
    route("GET", "/v1/models/:id", showModel),
    route("GET", "/v1/key", showKey),
    route("GET", "/v1/credits", showCredits),
    route("GET", "/v1/generation", showGeneration),
    route("GET", "/v1/dashboard/billing/subscription", showSubscription),
    route("GET", "/v1/dashboard/billing/usage", showUsage),
  ];
}

export function gatewaySockets(services: Services): readonly SocketRoute[] {
  return [responsesSocket(services)];
}
