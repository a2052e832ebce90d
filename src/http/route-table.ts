import type { Route } from "../lib/route.ts";

/** Whether a path fits a pattern such as `/v1/models/:id` or `/api/auth/*`. */
function fits(pattern: string, path: string): boolean {
  if (pattern.endsWith("/*")) return path.startsWith(pattern.slice(0, -1));
  const wanted = pattern.split("/");
  const given = path.split("/");
  if (wanted.length !== given.length) return false;
  return wanted.every((piece, i) => (piece.startsWith(":") ? given[i] !== "" : piece === given[i]));
}

/** The routes of a path: those of its very text, or else those whose pattern it fits. */
export function routesAt<T extends Pick<Route, "path">>(
  routes: readonly T[],
  path: string,
): readonly T[] {
  const exact = routes.filter((route) => route.path === path);
  return exact.length > 0 ? exact : routes.filter((route) => fits(route.path, path));
}

/** A path as it was meant: addresses are put together by hand, with a slash too many here and there. */
export function tidied(path: string): string {
  return path.replace(/\/{2,}/g, "/").replace(/(.)\/$/, "$1");
}

/** The named pieces of a path that fits a pattern. */
export function paramsOf(pattern: string, path: string): Record<string, string> {
  const given = path.split("/");
  const named = pattern
    .split("/")
    .flatMap((piece, i) => (piece.startsWith(":") ? [[piece.slice(1), decoded(given[i])]] : []));
  return Object.fromEntries(named);
}

function decoded(piece = ""): string {
  try {
    return decodeURIComponent(piece);
  } catch {
    return piece;
  }
}

/** As `Allow` has them. */
export function methodsOf(routes: readonly Route[]): string {
  return [...new Set(routes.map((route) => route.method))].join(", ");
}
