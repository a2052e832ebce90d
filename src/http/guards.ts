/**
 * Nobody guesses the type of an answer of the API, and nobody between us and the client keeps it. Who
 * knows streams only by `no-cache`, as vendors send them, finds that too.
 */
const API_GUARDS = [
  ["x-content-type-options", "nosniff"],
  ["cache-control", "no-cache, no-store"],
] as const;

/** A year, as lists of preloaded sites ask for at least. Neighbours of our name are not ours to bind. */
const HSTS = ["strict-transport-security", "max-age=31536000"] as const;

export type Guards = readonly (readonly [name: string, value: string])[];

const isApi = (path: string) =>
  path.startsWith("/v1/") || path.startsWith("/v1beta/") || path.startsWith("/api/v1/");

/** Headers that every answer below a path has, made once for each route. */
export function guardsOf(path: string, publicUrl: string | undefined): Guards {
  const secure = publicUrl?.startsWith("https:") ? [HSTS] : [];
  return isApi(path) ? [...API_GUARDS, ...secure] : secure;
}
