import type { Incoming, Route } from "../../lib/route.ts";

/** For whom a model is called: the id that its receipt gets, and where the client is. */
type ModelCaller = Pick<Incoming, "requestId" | "address" | "keepOpen">;

/**
 * Puts a request to a route of models, as a client would. The answer carries the id of the request, under
 * which its receipt lies; the faults of the route are thrown.
 */
export type CallModels = (request: Request, caller: ModelCaller) => Promise<Response>;

/** The routes of this very process, called without leaving it. */
export function callsOf(routes: readonly Route[]): CallModels {
  return async (request, caller) => {
    const url = new URL(request.url);
    const route = routes.find((each) => each.method === "POST" && each.path === url.pathname);
    if (!route) throw new Error(`the gateway has no ${url.pathname}`);
    const { requestId } = caller;
    const response = await route.handle({
      ...{ request, requestId, url, params: {} },
      keepOpen: () => caller.keepOpen(),
      // Whoever calls takes what it has asked for.
      isBeingAnswered: () => false,
      address: () => caller.address(),
    });
    response.headers.set("x-request-id", requestId);
    return response;
  };
}
