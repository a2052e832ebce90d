// The console over fixtures instead of a gateway: pages can be looked at before their server exists,
// and in states that a server is hard to bring into.
import { fileURLToPath } from "node:url";
import { ConsoleFiles } from "../../src/http/files/console-files.ts";
import { apiPage, consolePages, materialPage } from "../../src/http/files/static.ts";
import type { Incoming } from "../../src/lib/route.ts";
import { FIXTURES } from "../../web/fixtures/all.ts";
import { type Fixture, type Fixtures, refusal } from "../../web/fixtures/fixture.ts";

/** As a near server takes, so that what holds the place of an answer is drawn before it. */
const ANSWER_MS = 40;

const BUILD_SECONDS_MAX = 60;

const webDir = fileURLToPath(new URL("../../web/", import.meta.url));

/** Read once for all servers of a process. */
const files = new ConsoleFiles(webDir);
const pages = [...consolePages(files), apiPage(files), materialPage(files, async () => [])];

export interface FixtureServer {
  /** Without a slash at its end; by name, because passkeys do not work on an address of digits. */
  readonly url: string;
  /** From now on these stand before the common fixtures. */
  show(changes: Fixtures): void;
  stop(): Promise<void>;
}

function matchPath(pattern: string, path: string): Record<string, string> | undefined {
  const wanted = pattern.split("/");
  const given = path.split("/");
  if (wanted.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, piece] of wanted.entries()) {
    const value = given[index] ?? "";
    if (piece.startsWith(":")) params[piece.slice(1)] = decodeURIComponent(value);
    else if (piece !== value) return undefined;
  }
  return params;
}

function findFixture(fixtures: Fixtures, method: string, path: string) {
  for (const [name, fixture] of Object.entries(fixtures)) {
    const [wantedMethod, pattern = ""] = name.split(" ");
    const params = wantedMethod === method ? matchPath(pattern, path) : undefined;
    if (params) return { fixture, params };
  }
  return undefined;
}

async function callFixture(fixture: Fixture, request: Request, params: Record<string, string>) {
  const body =
    request.method === "GET"
      ? {}
      : ((await request.json().catch(() => ({}))) as Record<string, unknown>);
  await Bun.sleep(ANSWER_MS);
  const answer = await fixture({ params, query: new URL(request.url).searchParams, body });
  return answer instanceof Response ? answer : Response.json(answer);
}

/** `changes` stand before the common fixtures: `{ "GET /api/me": () => refusal(401, …) }`. */
export function startFixtureServer(changes: Fixtures = {}): FixtureServer {
  let fixtures: Fixtures = { ...FIXTURES, ...changes };
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    // Whoever comes first may have to wait for a build.
    idleTimeout: BUILD_SECONDS_MAX,
    async fetch(request) {
      const url = new URL(request.url);
      const found = findFixture(fixtures, request.method, url.pathname);
      if (found) return callFixture(found.fixture, request, found.params);
      const path = url.pathname.startsWith("/console") ? "/console/*" : url.pathname;
      const page = pages.find((route) => route.path === path);
      if (!page) return refusal(404, "not_found", `No fixture for ${request.method} ${path}.`);
      const keepOpen = () => server.timeout(request, 0);
      return page.handle({ request, url, keepOpen } as Incoming);
    },
    error: () => new Response(null, { status: 404 }),
  });
  return {
    url: `http://localhost:${server.port}`,
    show(others) {
      fixtures = { ...FIXTURES, ...others };
    },
    stop: () => server.stop(true),
  };
}
