import type { FaceOf, Incoming, Route, SocketRoute, Unrouted } from "../lib/route.ts";
import { faceAt, openFaces } from "./faces.ts";
import { generate } from "./generate.ts";
import { showCredits, showGeneration, showKey } from "./routes/account-routes.ts";
import { showSubscription, showUsage } from "./routes/billing-routes.ts";
import { compact } from "./routes/compact-route.ts";
import { estimate } from "./routes/estimate-route.ts";
import { callGemini, countMessageTokens } from "./routes/foreign-routes.ts";
import { listModels, showModel } from "./routes/model-routes.ts";
import {
  countInputTokens,
  deleteResponse,
  listInputItems,
  showResponse,
} from "./routes/response-routes.ts";
import { unofferedFault } from "./routes/unoffered.ts";
import type { Services } from "./services.ts";
import { responsesSocket } from "./socket.ts";

type Handler = (services: Services, incoming: Incoming) => Promise<Response>;

/** Every route of the gateway. Tests are generated from this table. */
export function gatewayRoutes(services: Services): readonly Route[] {
  const { chat, responses, messages, embeddings } = services.wires;
  const route = (method: Route["method"], path: string, handler: Handler): Route => ({
    method,
    path,
    pages: "allowed",
    handle: (incoming) => handler(services, incoming),
  });
  const faces = openFaces(services);
  const anthropic: FaceOf = () => faces.messages;
  const google: FaceOf = () => faces.gemini;
  const callers: FaceOf = (request) => faces[faceAt(request)];
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
    { ...route("POST", "/v1beta/models/:id", callGemini), face: google },
    { ...route("POST", "/v1/models/:id", callGemini), face: callers },
    { ...route("GET", "/v1beta/models", listModels), face: google },
    { ...route("GET", "/v1beta/models/:id", showModel), face: google },
    route("POST", "/v1/responses/input_tokens", countInputTokens),
    route("POST", "/v1/responses/compact", compact),
    route("POST", "/v1/estimate", estimate),
    route("GET", "/v1/responses/:id", showResponse),
    route("DELETE", "/v1/responses/:id", deleteResponse),
    route("GET", "/v1/responses/:id/input_items", listInputItems),
    { ...route("GET", "/v1/models", listModels), face: callers },
    { ...route("GET", "/v1/models/:id", showModel), face: callers },
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

/** What a client is told where none of the routes is, in its own words. */
export function gatewayUnrouted(services: Services): (request: Request, path: string) => Unrouted {
  const faces = openFaces(services);
  return (request, path) => {
    const face = faceAt(request);
    return { face: faces[face], fault: unofferedFault(face, path) };
  };
}
