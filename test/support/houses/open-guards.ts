// The guards of the console, before whom the test says who calls and as what.
import type { Account } from "../../../src/accounts/account.ts";
import { createGuards } from "../../../src/accounts/create-guards.ts";
import type { Guards, Role } from "../../../src/accounts/guards.ts";
import { asFault } from "../../../src/lib/faults.ts";
import type { Route } from "../../../src/lib/route.ts";

export interface Caller {
  operator?: boolean;
  /** The accounts that the caller belongs to, and as what. */
  roles: Readonly<Record<string, Role>>;
}

const ORIGIN = "http://localhost";

/** What our own pages send with every call, so that a change is not taken for another site's. */
export const OF_OUR_PAGES = {
  "content-type": "application/json",
  "x-faregate-csrf": "1",
  origin: ORIGIN,
};

/** The real guards, before whom `caller` has signed in; a test may change who that is. */
export function openGuards(caller: Caller): Guards {
  return createGuards({
    signIn: {
      session: async () => ({
        userId: "user_1",
        email: "ann@example.org",
        name: "Ann",
        emailVerified: true,
        twoFactor: false,
        cookies: [],
      }),
      origins: { own: ORIGIN, trusted: [ORIGIN] },
    },
    tokens: { find: async () => undefined },
    memberships: {
      find: async (accountId, userId) => {
        const role = caller.roles[accountId];
        return role && { accountId, userId, role, operator: false };
      },
      isOperator: async () => caller.operator ?? false,
    },
    findAccount: async (id) => ({ id }) as Account,
    limits: { form_ms: 60_000 },
  });
}

function paramsOf(pattern: string, path: string): Record<string, string> | undefined {
  const names = pattern.split("/");
  const pieces = path.split("/");
  if (names.length !== pieces.length) return undefined;
  const params: Record<string, string> = {};
  for (const [i, name] of names.entries()) {
    const piece = decodeURIComponent(pieces[i] ?? "");
    if (name.startsWith(":")) params[name.slice(1)] = piece;
    else if (name !== piece) return undefined;
  }
  return params;
}

function sentAs(body: unknown): ReadableStream<Uint8Array<ArrayBuffer>> | string | null {
  if (body === undefined) return null;
  return body instanceof ReadableStream ? body : JSON.stringify(body);
}

/** The answer of the route that fits, faults included, as the server would give it. */
export async function ask(
  routes: readonly Route[],
  method: Route["method"],
  target: string,
  body?: unknown,
  keepOpen = () => {},
): Promise<Response> {
  const url = new URL(target, ORIGIN);
  for (const route of routes) {
    const params = route.method === method ? paramsOf(route.path, url.pathname) : undefined;
    if (!params) continue;
    const request = new Request(url.href, { method, headers: OF_OUR_PAGES, body: sentAs(body) });
    const incoming = {
      request,
      requestId: "req_test",
      url,
      params,
      keepOpen,
      isBeingAnswered: () => false,
      address: () => "127.0.0.1",
    };
    try {
      return await route.handle(incoming);
    } catch (thrown) {
      const fault = asFault(thrown);
      if (fault.status === 500) throw thrown;
      return Response.json({ error: fault.toJson() }, { status: fault.status });
    }
  }
  throw new Error(`no route for ${method} ${url.pathname}`);
}
