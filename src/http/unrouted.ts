import { Fault } from "../lib/faults.ts";
import type { FaultFace, Route, Unrouted } from "../lib/route.ts";
import { methodsOf, routesAt, tidied } from "./route-table.ts";

const PATH_CHARS_SHOWN = 200;

/** Where clients of models call, whose addresses people write by hand. */
export const VERSIONED = /^(?:\/v1(?:beta)?|\/api\/v1)\//;

/** OpenRouter's base URL. It lies below the `/api` of the console, and has nothing to do with that. */
const OPENROUTER = /^\/api(?=\/v1(?:\/|$))/;

export const isOfOpenRouter = (path: string) => OPENROUTER.test(path);

/** The routes of a path. What is passed on below `/api` has none of those at OpenRouter's base URL. */
export function routesOf<T extends Pick<Route, "path">>(
  routes: readonly T[],
  path: string,
): readonly T[] {
  const found = routesAt(routes, path);
  return isOfOpenRouter(path) ? found.filter((route) => isOfOpenRouter(route.path)) : found;
}

/** What is said where no route took a request, and to whom. */
interface Nowhere {
  readonly fault: Fault;
  readonly face: FaultFace | undefined;
  readonly pages: Route["pages"];
}

/** What is wrong with an address that would be one of ours with the version in front. */
function withoutVersion(routes: readonly Route[], path: string) {
  if (isOfOpenRouter(path)) {
    const own = path.replace(OPENROUTER, "");
    const near = routesAt(routes, own);
    return { hint: near.length === 0 ? "" : ` It is at ${own} alone.`, near };
  }
  const twice = path.startsWith("/v1/v1/");
  const meant = tidied(twice ? path.slice("/v1".length) : `/v1${path}`);
  const near = routesAt(routes, meant);
  if (near.length === 0) return { hint: "", near };
  const what = twice ? "Leave one '/v1' out of" : "Add '/v1' to";
  return { hint: ` ${what} the base URL: the path is ${meant}.`, near };
}

/** The first two pieces of a path, by which a room's routes begin. */
const ROOM = /^\/[^/]+\/[^/:]+/;

/** Whether a path lies among routes that are not for the pages of other sites. */
function isAmongClosed(routes: readonly Route[], path: string): boolean {
  const [room] = ROOM.exec(path) ?? [];
  return routes.some((route) => route.pages !== "allowed" && ROOM.exec(route.path)?.[0] === room);
}

/** A path that is known by other methods. */
function wrongMethod(method: string, path: string, known: readonly Route[]): Fault {
  const allow = methodsOf(known);
  const use = `Method ${method} is not allowed on ${path}; use ${allow}`;
  const isOpened = method === "GET" && allow === "POST";
  const message = isOpened
    ? `${use} with a JSON body. A browser's address bar sends GET.`
    : `${use}.`;
  return new Fault("method_not_allowed", message, { headers: { allow } });
}

/**
 * Why no route took a request: the path is unknown, or known by other methods. What is wrong with an
 * address of models can be read by the pages that may call them, since their code has it in it.
 */
export function nowhere(
  routes: readonly Route[],
  request: Request,
  path: string,
  toldOf: (() => Unrouted) | undefined,
): Nowhere {
  const { method } = request;
  const shown = path.slice(0, PATH_CHARS_SHOWN);
  const known = routesOf(routes, path);
  const [first] = known;
  if (first) {
    const fault = wrongMethod(method, shown, known);
    return { fault, face: first.face?.(request), pages: first.pages };
  }
  const { hint, near } = withoutVersion(routes, path);
  const told = toldOf?.();
  const isOfModels =
    told?.fault !== undefined || (VERSIONED.test(path) && !isAmongClosed(routes, path));
  return {
    fault:
      told?.fault ?? new Fault("unknown_url", `Unknown request URL: ${method} ${shown}.${hint}`),
    face: told?.face ?? near[0]?.face?.(request),
    pages: isOfModels ? "allowed" : near[0]?.pages,
  };
}
