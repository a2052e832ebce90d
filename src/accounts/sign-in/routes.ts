import { z } from "zod";
import { readJson } from "../../lib/json/json-body.ts";
import type { Incoming, Route } from "../../lib/route.ts";
import { withApiHeaders } from "../api-headers.ts";
import { checkOrigin } from "../same-origin.ts";
import type { PeopleServices } from "../services.ts";
import { AUTH_PATH } from "./origins.ts";
import type { SignIn } from "./sign-in.ts";

type Services = Pick<PeopleServices, "signIn" | "signUp" | "sendMail">;

/** What the sign-in page has to know before anybody is known: without mail it must not promise any. */
export async function signInOptions({ signIn, signUp, sendMail }: Services) {
  const { policy } = await signUp.terms();
  return { signup: policy, providers: signIn.providers, mail: sendMail !== undefined };
}

const CONFIRMATION = z.strictObject({
  token: z.string().min(1).max(200),
  password: z.string().min(1, "Write the password that you have chosen.").max(1_000),
});

async function confirm(signIn: SignIn, incoming: Incoming): Promise<Response> {
  checkOrigin(incoming.request, signIn.origins.trusted);
  const { token, password } = await readJson(incoming.request, CONFIRMATION);
  const { userId: id, email, name, cookies } = await signIn.confirm(token, password, incoming);
  const response = Response.json({ user: { id, email, name } });
  for (const cookie of cookies) response.headers.append("set-cookie", cookie);
  return response;
}

/** The library names the wait in a header of its own. */
function withRetryAfter(response: Response): Response {
  const seconds = response.headers.get("x-retry-after");
  if (response.status === 429 && seconds !== null) response.headers.set("retry-after", seconds);
  return response;
}

/** The sign-in library's own paths, and what a page asks before them. */
export function signInRoutes(services: Services): readonly Route[] {
  const { signIn } = services;
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
    handle: () => withApiHeaders(async () => Response.json(await signInOptions(services))),
  };
  const confirmation: Route = {
    method: "POST",
    path: "/api/sign-up/confirm",
    hosts: "own",
    handle: (incoming) => withApiHeaders(() => confirm(signIn, incoming)),
  };
  return [mounted("GET"), mounted("POST"), options, confirmation];
}
