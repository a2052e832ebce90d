import { get } from "../../lib/contract.ts";
import type { Route } from "../../lib/route.ts";
import * as z from "../../lib/schemas.ts";
import { describeApi } from "./describe-api.ts";

const DESCRIBE_API = get("/openapi.json", "This description, as OpenAPI 3.1.", {
  credentials: [],
  answer: z.looseObject({ openapi: z.literal("3.1.0") }),
});

/** The description of these routes and of itself. It is made when somebody first asks, and the same for all. */
export function openApiRoute(routes: readonly Route[], version: string): Route {
  let made: Promise<{ readonly text: string; readonly etag: string }> | undefined;
  const describe = async () => {
    const text = JSON.stringify(await describeApi([...routes, route], version));
    return { text, etag: `"${Bun.hash(text).toString(36)}"` };
  };
  const route: Route = {
    method: DESCRIBE_API.method,
    path: DESCRIBE_API.path,
    operation: DESCRIBE_API,
    async handle({ request }) {
      made ??= describe().catch((thrown: unknown) => {
        made = undefined;
        throw thrown;
      });
      const { text, etag } = await made;
      const headers = { "content-type": "application/json", "cache-control": "no-cache", etag };
      const isKnown = request.headers.get("if-none-match") === etag;
      return isKnown
        ? new Response(null, { status: 304, headers })
        : new Response(text, { headers });
    },
  };
  return route;
}
