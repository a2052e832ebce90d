import { Reply } from "../../lib/contract.ts";
import type { Route } from "../../lib/route.ts";
import { withApiHeaders } from "../api-headers.ts";
import { CONFIRM_SIGN_UP, SHOW_SIGN_IN_OPTIONS, type SignInOptions } from "../contract/sign-in.ts";
import type { Guards, OpenCallOf } from "../guards.ts";
import { checkOrigin } from "../same-origin.ts";
import type { PeopleServices } from "../services.ts";
import { AUTH_PATH } from "./origins.ts";
import type { SignedIn, SignIn } from "./sign-in.ts";

type Services = Pick<PeopleServices, "signIn" | "signUp" | "sendMail">;

/** What the sign-in page has to know before anybody is known: without mail it must not promise any. */
export async function signInOptions({
  signIn,
  signUp,
  sendMail,
}: Services): Promise<SignInOptions> {
  const { policy } = await signUp.terms();
  return { signup: policy, providers: signIn.providers(), mail: sendMail !== undefined };
}

/** The answer to somebody who has just come in, with their session. */
export function welcome({ userId: id, email, name, cookies }: SignedIn) {
  return new Reply({ user: { id, email, name } }, { cookies });
}

async function confirm(signIn: SignIn, call: OpenCallOf<typeof CONFIRM_SIGN_UP>) {
  const { incoming } = call;
  checkOrigin(incoming.request, signIn.origins.trusted);
  const { token, password } = await call.body();
  return welcome(await signIn.confirm(token, password, incoming));
}

/** The library names the wait in a header of its own. */
function withRetryAfter(response: Response): Response {
  const seconds = response.headers.get("x-retry-after");
  if (response.status === 429 && seconds !== null) response.headers.set("retry-after", seconds);
  return response;
}

/** The sign-in library's own paths, and what a page asks before them. */
export function signInRoutes(services: Services, guards: Guards): readonly Route[] {
  const { signIn } = services;
  const mounted = (method: "GET" | "POST"): Route => ({
    method,
    path: `${AUTH_PATH}/*`,
    hosts: "own",
    handle: (incoming) => withApiHeaders(async () => withRetryAfter(await signIn.handle(incoming))),
  });
  return [
    mounted("GET"),
    mounted("POST"),
    guards.open(SHOW_SIGN_IN_OPTIONS, () => signInOptions(services)),
    guards.open(CONFIRM_SIGN_UP, (call) => confirm(signIn, call)),
  ];
}
