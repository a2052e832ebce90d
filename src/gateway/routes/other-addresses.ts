import type { Route } from "../../lib/route.ts";
import { openRouterWires } from "../../protocols/wires.ts";
import { gatewayRoutes } from "../routes.ts";
import type { Services } from "../services.ts";

/** In front of `/v1` at OpenRouter's base URL. Nothing of the console's lies below that, whose API is at `/api` too. */
const OPENROUTER = "/api";

/** What OpenRouter's clients call; its words for keys and balances are others than ours. */
const CALLED = ["/v1/chat/", "/v1/responses", "/v1/messages", "/v1/embeddings", "/v1/models"];

/** Pieces in front of the last one of an id, as in `vendor/model` and `server/vendor/model`. */
const PIECES = [":vendor", ":server/:vendor"];

/** The same models where their ids have slashes in them, which clients write as they are. */
function slashed(routes: readonly Route[]): readonly Route[] {
  const named = routes.filter(({ path }) => path.endsWith("/models/:id"));
  return PIECES.flatMap((pieces) =>
    named.map(({ operation: _, operations: __, ...route }) => ({
      ...route,
      path: route.path.replace(/:id$/, `${pieces}/:id`),
    })),
  );
}

/** Routes that answer at other addresses too, which the description of the API has once. */
export function otherAddresses(services: Services): readonly Route[] {
  const wires = openRouterWires(services.wires, services.limits);
  const there = gatewayRoutes({ ...services, wires });
  return [
    ...slashed(gatewayRoutes(services)),
    ...[...there, ...slashed(there)]
      .filter(({ path }) => CALLED.some((beginning) => path.startsWith(beginning)))
      .map(({ operation: _, operations: __, ...route }) => ({
        ...route,
        path: OPENROUTER + route.path,
      })),
  ];
}
