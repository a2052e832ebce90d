import type { Route } from "../../lib/route.ts";
import { withApiHeaders } from "../api-headers.ts";
import { AUTH_PATH } from "./origins.ts";
import type { SignIn } from "./sign-in.ts";
import type { SignUp } from "./sign-up.ts";

/** What the sign-in page has to know before anybody is known. */
export async function signInOptions(signIn: SignIn, signUp: SignUp) {
  const { policy } = await signUp.terms();
  return { signup: policy, providers: signIn.providers };
}

/** The library names the wait in a header of its own. */
function withRetryAfter(response: Response): Response {
  const seconds = response.headers.get("x-retry-after");
  if (response.status === 429 && seconds !== null) response.headers.set("retry-after", seconds);
  return response;
}

/** The sign-in library's own paths, and what a page asks before them. */
export function signInRoutes(signIn: SignIn, signUp: SignUp): readonly Route[] {
  const mounted = (method: "GET" | "POST"): Route => ({
    method,
    path: `${AUTH_PATH}/*`,
    hosts: "own",
    handle: (incoming) => withApiHeaders(async () => withRetryAfter(await signIn.handle(incoming))),
  });
  const options: Route = {
    method: "GET",
    path: "/api/sign-in-options",
    hosts: "own",
    handle: () => withApiHeaders(async () => Response.json(await signInOptions(signIn, signUp))),
  };
  return [mounted("GET"), mounted("POST"), options];
}
