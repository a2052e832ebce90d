import type { Incoming, Route } from "../lib/route.ts";
import { chatWire } from "../protocols/chat/wire.ts";
import { responsesWire } from "../protocols/responses/wire.ts";
import { showCredits, showGeneration, showKey } from "./account-routes.ts";
import { generate } from "./generate.ts";
import { listModels, showModel } from "./model-routes.ts";
import {
  countInputTokens,
  deleteResponse,
  listInputItems,
  showResponse,
} from "./response-routes.ts";
import type { Services } from "./services.ts";

/** Every route of the gateway. Tests are generated from this table. */
export function gatewayRoutes(services: Services): readonly Route[] {
  const chat = chatWire(services.limits);
  const responses = responsesWire(services.limits);
  const route = (
    method: Route["method"],
    path: string,
    handler: (services: Services, incoming: Incoming) => Promise<Response>,
  ): Route => ({ method, path, handle: (incoming) => handler(services, incoming) });
  return [
    route("POST", "/v1/responses", (s, incoming) => generate(s, responses, incoming)),
    route("POST", "/v1/chat/completions", (s, incoming) => generate(s, chat, incoming)),
    route("POST", "/v1/responses/input_tokens", (s, incoming) =>
      countInputTokens(s, responses, incoming),
    ),
    route("GET", "/v1/responses/:id", showResponse),
    route("DELETE", "/v1/responses/:id", deleteResponse),
    route("GET", "/v1/responses/:id/input_items", listInputItems),
    route("GET", "/v1/models", listModels),
    route("GET", "/v1/models/:id", showModel),
    route("GET", "/v1/key", showKey),
    route("GET", "/v1/credits", showCredits),
    route("GET", "/v1/generation", showGeneration),
  ];
}
