/**
 * Clients must not guess the type of a response of the API, and proxies must not cache it. Some proxies know streams
 * only by `no-cache`, as vendors send it.
 */
const API_HEADERS = [
  ["x-content-type-options", "nosniff"],
  ["cache-control", "no-cache, no-store"],
] as const;

/** A year, the minimum of preload lists. Subdomains are not ours to bind. */
const HSTS = ["strict-transport-security", "max-age=31536000"] as const;

export type SecurityHeaders = readonly (readonly [name: string, value: string])[];

const isApi = (path: string) =>
  path.startsWith("/v1/") || path.startsWith("/v1beta/") || path.startsWith("/api/v1/");

/** The headers of every response below a path, made once for each route. */
export function securityHeadersOf(path: string, publicUrl: string | undefined): SecurityHeaders {
  const secure = publicUrl?.startsWith("https:") ? [HSTS] : [];
  return isApi(path) ? [...API_HEADERS, ...secure] : secure;
}
