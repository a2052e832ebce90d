import type { CorsSettings } from "../config/cors.ts";
import { Fault } from "../lib/faults.ts";

/** What a page may read of an answer beside its body. No header here says more than the body does. */
export const EXPOSED_HEADERS = [
  "x-request-id",
  "request-id",
  "retry-after",
  "retry-after-ms",
  "x-should-retry",
  "openai-processing-ms",
  "openai-version",
  ...["limit", "remaining", "reset"].flatMap((fact) =>
    ["requests", "tokens"].map((what) => `x-ratelimit-${fact}-${what}`),
  ),
  ...["clamped", "cost", "dropped", "fix", "idempotency", "left", "limit", "max", "needed"].map(
    (fact) => `x-faregate-${fact}`,
  ),
  ...["period", "receipt", "resets-at", "scope", "used"].map((fact) => `x-faregate-${fact}`),
];

const EXPOSED = EXPOSED_HEADERS.join(", ");
/** Clients send what they like; a list of names is echoed up to here. */
const ASKED_CHARS_MAX = 4_096;
const NAMES = /^[\w!#$%&'*+.^`|~-]+(?: *, *[\w!#$%&'*+.^`|~-]+)*$/;
/** Browsers ask again after so long; the strictest of them keeps an answer no longer. */
const PREFLIGHT_SECONDS = "7200";

function foreign(origin: string): Fault {
  return new Fault(
    "permission_denied",
    `Requests from pages of ${origin.slice(0, 200)} are not accepted. Set FAREGATE_PUBLIC_URL to it if it ` +
      "is the address of this gateway, or name it in FAREGATE_CORS.",
  );
}

/**
 * What pages in browsers may do. The models are open to those that FAREGATE_CORS lets in, without
 * cookies, as vendors have it: a page that has a key may use it. What a page could reach by where it
 * runs alone, a connection or an agent's tools, is only for our own pages and those that are named.
 */
export class Pages {
  readonly #cors: CorsSettings;
  readonly #own: () => readonly string[];

  constructor(cors: CorsSettings, own: () => readonly string[]) {
    this.#cors = cors;
    this.#own = own;
  }

  /** Whether any page of another site is let in. */
  get open(): boolean {
    return this.#cors.any || this.#cors.origins.length > 0;
  }

  /** Lets the page that asked read the answer. Who asks without a page, as most do, costs one look. */
  allow(request: Request, headers: Headers): void {
    const origin = request.headers.get("origin");
    if (origin === null || !this.open) return;
    if (!this.#cors.any) headers.append("vary", "origin");
    if (!this.#mayCall(origin)) return;
    headers.set("access-control-allow-origin", this.#cors.any ? "*" : origin);
    headers.set("access-control-expose-headers", EXPOSED);
  }

  #mayCall(origin: string): boolean {
    return this.#cors.any || this.#cors.origins.includes(origin);
  }

  /** The answer to a browser that asks whether a page may make a call. */
  preflight(request: Request, methods: string): Response {
    const origin = request.headers.get("origin");
    const allowed = { allow: methods };
    // Not a browser: whoever asks for the methods is told them.
    if (origin === null) return new Response(null, { status: 204, headers: allowed });
    if (!this.#mayCall(origin)) throw foreign(origin);
    const asked = request.headers.get("access-control-request-headers") ?? "";
    if (asked !== "" && (asked.length > ASKED_CHARS_MAX || !NAMES.test(asked))) {
      throw new Fault(
        "invalid_value",
        `Access-Control-Request-Headers must be names of headers, at most ${ASKED_CHARS_MAX} characters.`,
        { param: "access-control-request-headers" },
      );
    }
    const headers = new Headers({
      ...allowed,
      "access-control-allow-methods": methods,
      "access-control-max-age": PREFLIGHT_SECONDS,
      vary: "access-control-request-headers",
    });
    if (asked !== "") headers.set("access-control-allow-headers", asked);
    return new Response(null, { status: 204, headers });
  }

  /** Refuses what a page has sent that is neither ours nor named. */
  requireListed(request: Request): void {
    const origin = request.headers.get("origin");
    if (origin === null || this.#cors.origins.includes(origin)) return;
    if (!this.#own().includes(origin)) throw foreign(origin);
  }
}
