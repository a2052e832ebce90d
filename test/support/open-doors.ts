// Doors without locks behind them: who calls, and as what, is said by the test.
import { type AccountCall, type Doors, ROLES, type Role } from "../../src/accounts/doors.ts";
import { asFault, Fault } from "../../src/lib/faults.ts";
import type { Incoming, Route } from "../../src/lib/route.ts";

export interface Caller {
  readonly operator?: boolean;
  /** The accounts that the caller belongs to, and as what. */
  readonly roles: Readonly<Record<string, Role>>;
}

function enter(caller: Caller, incoming: Incoming, least: Role): AccountCall {
  const accountId = incoming.params.account ?? "";
  const operator = caller.operator ?? false;
  const role = operator ? "owner" : caller.roles[accountId];
  if (!role) throw new Fault("not_found", "There is no such account.");
  if (ROLES.indexOf(role) < ROLES.indexOf(least)) {
    throw new Fault("permission_denied", `This needs the role '${least}'.`);
  }
  const visitor = { userId: "user_1", name: "ann@example.org", operator };
  return { incoming, visitor, accountId, role };
}

/** Doors that let `caller` in as the real ones would. Only those of an account are there. */
export function openDoors(caller: Caller): Doors {
  const none = () => {
    throw new Error("these doors lead only to accounts");
  };
  return {
    signedIn: none,
    operator: none,
    account: (method, path, least, handle) => ({
      method,
      path: `/api/accounts/:account${path}`,
      handle: async (incoming) => handle(enter(caller, incoming, least)),
    }),
  };
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
      keepOpen() {},
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
