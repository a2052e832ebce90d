// What the suites of one run have in common: a PostgreSQL and a Chromium, each started when the first
// suite asks for it and ended with the run.
import type { BrowserServer } from "playwright-core";
import { type Postgres, startPostgres } from "../postgres.ts";
import type { Lent } from "./lent.ts";

const START_SECONDS_MAX = 255;

interface Lender {
  readonly url: string;
  /** Resolves when everything that was started has ended. */
  end(): Promise<void>;
}

export function startLender(): Lender {
  let postgres: Promise<Postgres> | undefined;
  let chromium: Promise<BrowserServer> | undefined;
  const addresses: Readonly<Record<Lent, () => Promise<string>>> = {
    async postgres() {
      postgres ??= startPostgres({ connectionsMax: 400 });
      // By the address of any database: a suite puts the name of its own in its place.
      return (await postgres).url("postgres");
    },
    async chromium() {
      // The library is loaded only where a suite has a page to open.
      chromium ??= import("../browser/chromium.ts").then((room) => room.serveChromium());
      return (await chromium).wsEndpoint();
    },
  };
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: START_SECONDS_MAX,
    async fetch(request) {
      const name = new URL(request.url).pathname.slice(1);
      if (!Object.hasOwn(addresses, name)) return new Response(null, { status: 404 });
      return new Response(await addresses[name as Lent]());
    },
    error: (thrown) => new Response(thrown.message, { status: 500 }),
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    async end() {
      await server.stop(true);
      await Promise.allSettled([
        postgres?.then((started) => started.stop()),
        chromium?.then((started) => started.close()),
      ]);
    },
  };
}
