// Guards without locks behind them: who calls, and as what, is said by the test.
import { type Call, type Guards, ROLES, type Role } from "../../../src/accounts/guards.ts";
import { asFault, Fault } from "../../../src/lib/faults.ts";
import type { Route } from "../../../src/lib/route.ts";

export interface Caller {
  operator?: boolean;
  /** The accounts that the caller belongs to, and as what. */
  roles: Readonly<Record<string, Role>>;
}

function roleIn(caller: Caller, accountId: string, least: Role): Role {
  const role = caller.operator ? "owner" : caller.roles[accountId];
  if (!role) throw new Fault("not_found", "There is no such account.");
  if (ROLES.indexOf(role) < ROLES.indexOf(least)) {
    throw new Fault("permission_denied", `This needs the role '${least}'.`);
  }
  return role;
}

/** Guards that let `caller` in as the real ones would; a test may change who that is. */
export function openGuards(caller: Caller): Guards {
  const route = (
    method: Route["method"],
    path: string,
    handle: (call: Call) => Promise<Response>,
  ): Route => {
    const principal = () => ({
      userId: "user_1",
      name: "ann@example.org",
      operator: caller.operator ?? false,
    });
    return {
      method,
      path,
      handle: async (incoming) => handle({ incoming, principal: principal() }),
    };
  };
  const guards: Omit<Guards, "money"> = {
    signedIn: route,
    operator: (method, path, handle) =>
      route(method, path, async (call) => {
        if (!caller.operator) throw new Fault("not_found", "There is no such page.");
        return handle(call);
      }),
    account: (method, path, least, handle) =>
      route(method, `/api/accounts/:account${path}`, async (call) => {
        const accountId = call.incoming.params.account ?? "";
        return handle({ ...call, accountId, role: roleIn(caller, accountId, least) });
      }),
  };
  return { ...guards, money: guards };
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

/** The answer of the route that fits, faults included, as the server would give it. */
export async function ask(
  routes: readonly Route[],
  method: Route["method"],
  target: string,
  body?: unknown,
  keepOpen = () => {},
): Promise<Response> {
  const url = new URL(target, "http://localhost");
  for (const route of routes) {
    const params = route.method === method ? paramsOf(route.path, url.pathname) : undefined;
    if (!params) continue;
    const headers = { "content-type": "application/json" };
    const text = body === undefined ? null : JSON.stringify(body);
    const request = new Request(url.href, { method, headers, body: text });
    const incoming = {
      request,
      requestId: "req_test",
      url,
      params,
      keepOpen,
      address: () => "127.0.0.1",
    };
    try {
      return await route.handle(incoming);
    } catch (thrown) {
      const fault = asFault(thrown);
      if (fault.status === 500) throw thrown;
      return Response.json({ error: fault.toWire() }, { status: fault.status });
    }
  }
  throw new Error(`no route for ${method} ${url.pathname}`);
}
