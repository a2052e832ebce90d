import type { Auth } from "better-auth";
import { OPEN_BODY_BYTES_MAX } from "../../lib/bodies/body-memory.ts";
import { readBoundedText } from "../../lib/bodies/bounded-body.ts";
import { systemClock } from "../../lib/clock.ts";
import { Fault } from "../../lib/faults.ts";
import type { Incoming } from "../../lib/route.ts";
import { LINK_PREFIX, newSecret } from "../keys/secret.ts";
import { makeConfirmed, takeUp } from "./identities.ts";
import { hasPath, Library, type LibraryParts } from "./library.ts";
import { ADDRESS_HEADER, AUTH_PATH, type Origins, resetLink } from "./origins.ts";
import type { SignUpForm } from "./sign-up-form.ts";

/** As long as the library gives the links that it mails. */
const RESET_MS = 3_600_000;

/** A person who is signed in. */
export interface SignedIn {
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  readonly emailVerified: boolean;
  readonly twoFactor: boolean;
  /** To be sent along with the answer: a session lives on while it is used. */
  readonly cookies: readonly string[];
}

interface SignInParts extends LibraryParts {
  leaveAll(userId: string): Promise<void>;
}

/** What a client sent, with its address as we know it and a body that is known to be small. */
async function cleaned(incoming: Incoming, formMs: number): Promise<Request> {
  const { request, url } = incoming;
  const headers = cleanedHeaders(incoming);
  if (request.method === "GET" || request.method === "HEAD") {
    return new Request(url.href, { method: request.method, headers });
  }
  const bounds = { bytesMax: OPEN_BODY_BYTES_MAX, withinMs: formMs };
  const body = await readBoundedText(incoming, bounds);
  // Read, it is neither packed any more nor as long as it was.
  for (const name of ["content-encoding", "content-length"]) headers.delete(name);
  return new Request(url.href, { method: request.method, headers, body });
}

function cleanedHeaders(incoming: Incoming): Headers {
  const headers = new Headers(incoming.request.headers);
  headers.set(ADDRESS_HEADER, incoming.address());
  return headers;
}

/** Fields of the sign-up form, by the codes of the library's refusals. */
const FIELDS: readonly (readonly [RegExp, string])[] = [
  [/PASSWORD/, "password"],
  [/EMAIL/, "email"],
  [/NAME/, "name"],
];

async function asFault(thrown: unknown): Promise<unknown> {
  const { isAPIError } = await import("better-auth/api");
  if (!isAPIError(thrown)) return thrown;
  const code = String(thrown.body?.code ?? "");
  const param = FIELDS.find(([shape]) => shape.test(code))?.[1];
  return new Fault("invalid_value", thrown.body?.message ?? thrown.message, { param });
}

/** For what comes by a form of ours: the library looks at what its own brings, and not at this. */
async function checked(person: SignUpForm): Promise<SignUpForm> {
  const { readSignUp } = await import("./sign-up-form.ts");
  try {
    return readSignUp(person);
  } catch (thrown) {
    throw await asFault(thrown);
  }
}

function known(): Fault {
  const message = "Somebody signs in with this address already. Sign in, or use another address.";
  return new Fault("invalid_value", message, { param: "email" });
}

function goneLink(): Fault {
  const message = "This link has been used or has expired. Sign up again for a fresh one.";
  return new Fault("not_found", message, { param: "token" });
}

/** Identities and sessions, kept by the sign-in library in our tables. */
export class SignIn {
  readonly #parts: SignInParts;
  readonly #library: Library;

  constructor(parts: SignInParts) {
    this.#parts = parts;
    this.#library = new Library(parts);
  }

  /** Those that a page is to offer. */
  providers(): readonly { id: string; name: string }[] {
    return this.#library.providers().map(({ id, name }) => ({ id, name }));
  }

  get origins(): Origins {
    return this.#parts.origins();
  }

  /** Everything below `/api/auth`. */
  async handle(incoming: Incoming): Promise<Response> {
    const auth = await this.#library.auth();
    // It counts the calls of each path and keeps the count, also of paths that it does not have.
    const path = incoming.url.pathname.slice(AUTH_PATH.length);
    if (!hasPath(auth.api, path)) return new Response(null, { status: 404 });
    return auth.handler(await cleaned(incoming, this.#parts.limits.form_ms));
  }

  async session(incoming: Incoming): Promise<SignedIn | undefined> {
    if (!incoming.request.headers.has("cookie")) return undefined;
    const auth = await this.#library.auth();
    const { response, headers } = await auth.api.getSession({
      headers: cleanedHeaders(incoming),
      returnHeaders: true,
    });
    if (!response) return undefined;
    const user = response.user as typeof response.user & { twoFactorEnabled?: boolean | null };
    return {
      userId: user.id,
      email: user.email,
      name: user.name,
      emailVerified: user.emailVerified,
      twoFactor: user.twoFactorEnabled === true,
      cookies: headers.getSetCookie(),
    };
  }

  /**
   * Makes an identity for somebody who was let in by a link, and signs them in. Where the link shows that the
   * address is theirs, one that nobody had confirmed makes room for theirs.
   */
  async register(person: SignUpForm, incoming: Incoming, confirmed = false): Promise<SignedIn> {
    const { auth, identities } = await this.#identities();
    const { internalAdapter, password } = identities.context;
    try {
      if (confirmed) {
        const { email, name, password: chosen } = await checked(person);
        const identity = { email, name, passwordHash: await password.hash(chosen) };
        const made = await this.#granted(() => makeConfirmed(identities, identity));
        if (!made) throw known();
      } else {
        if (await internalAdapter.findUserByEmail(person.email.toLowerCase())) throw known();
        const headers = cleanedHeaders(incoming);
        await this.#granted(() => auth.api.signUpEmail({ body: person, headers }));
      }
    } catch (thrown) {
      throw await asFault(thrown);
    }
    return this.#enter(auth, person, incoming);
  }

  /**
   * The same by a link of the machine itself, whose holder may everything here: what was begun by one like it, and
   * came to no end, goes on.
   */
  async registerOperator(person: SignUpForm, incoming: Incoming): Promise<SignedIn> {
    const { auth, identities } = await this.#identities();
    const form = await checked(person);
    const begun = (await identities.context.internalAdapter.findUserByEmail(form.email))?.user;
    if (begun && (await takeUp(identities, begun, form.password))) {
      return this.#enter(auth, form, incoming);
    }
    return this.register(form, incoming);
  }

  #granted<T>(work: () => Promise<T>): Promise<T> {
    return this.#parts.signUp.granted(work);
  }

  async #identities() {
    const auth = await this.#library.auth();
    return { auth, identities: { ...this.#parts, context: await auth.$context } };
  }

  /** With a password that is known to be right, so that it never has to wait. */
  async #enter(
    auth: Auth,
    { email, password }: Pick<SignUpForm, "email" | "password">,
    incoming: Incoming,
  ): Promise<SignedIn> {
    const { response, headers } = await this.#granted(() =>
      auth.api.signInEmail({
        body: { email, password },
        headers: cleanedHeaders(incoming),
        returnHeaders: true,
      }),
    );
    const { id: userId, name, emailVerified } = response.user;
    const person = { userId, email: response.user.email, name, emailVerified, twoFactor: false };
    return { ...person, cookies: headers.getSetCookie() };
  }

  /** Somebody opens the mail of their sign-up and writes the password again: the address is theirs. */
  async confirm(token: string, password: string, incoming: Incoming): Promise<SignedIn> {
    const { pending } = this.#parts;
    const { auth, identities } = await this.#identities();
    const found = await pending?.find(token);
    if (!pending || !found) throw goneLink();
    const { email, passwordHash: hash } = found;
    if (!(await identities.context.password.verify({ hash, password }))) {
      // Whoever did not sign up themselves does not know it, and must not make the account theirs.
      const message = "This is not the password of this sign-up.";
      throw new Fault("invalid_value", message, { param: "password" });
    }
    try {
      const made = await pending.use(found, () => makeConfirmed(identities, found));
      if (made === undefined) throw goneLink();
      if (!made) throw known();
    } catch (thrown) {
      throw await asFault(thrown);
    }
    return this.#enter(auth, { email, password }, incoming);
  }

  /** A link by which somebody sets a new password, as their mail would have it. */
  async resetLink(email: string): Promise<string | undefined> {
    const { internalAdapter } = await (await this.#library.auth()).$context;
    const found = await internalAdapter.findUserByEmail(email.trim().toLowerCase());
    if (!found) return undefined;
    const token = newSecret(LINK_PREFIX);
    await internalAdapter.createVerificationValue({
      // By the clock of the library, which looks whether it has passed.
      value: found.user.id,
      identifier: `reset-password:${token}`,
      expiresAt: new Date(systemClock() + RESET_MS),
    });
    return resetLink(this.origins.own, token);
  }

  async rename(incoming: Incoming, name: string): Promise<readonly string[]> {
    const auth = await this.#library.auth();
    try {
      const { headers } = await auth.api.updateUser({
        body: { name },
        headers: cleanedHeaders(incoming),
        returnHeaders: true,
      });
      return headers.getSetCookie();
    } catch (thrown) {
      throw await asFault(thrown);
    }
  }
}
