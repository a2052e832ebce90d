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
export function routesAt(routes: readonly Route[], path: string): readonly Route[] {
  const exact = routes.filter((route) => route.path === path);
  return exact.length > 0 ? exact : routes.filter((route) => fits(route.path, path));
}

/** As `Allow` has them. */
export function methodsOf(routes: readonly Route[]): string {
  return [...new Set(routes.map((route) => route.method))].join(", ");
}
