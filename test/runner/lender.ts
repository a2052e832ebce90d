// What the suites of one run have in common: a PostgreSQL, a Chromium, and databases that have all tables.
// Each is there from when the first suite asks for it to the end of the run.
import type { BrowserServer } from "playwright-core";
import { type Postgres, startPostgres } from "../engines/postgres.ts";
import { makeTables } from "../store/tables.ts";
import { temporaryFolder } from "../support/houses/temporary-folder.ts";
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
  let files: Promise<string> | undefined;
  let template: Promise<string> | undefined;
  const folder = temporaryFolder();
  const started = () => {
    // The suites connect thousands of times.
    postgres ??= startPostgres({ connectionsMax: 400, auth: "md5" });
    return postgres;
  };
  const makeFiles = async () => {
    await makeTables({ FAREGATE_DATA: folder.path });
    return folder.path;
  };
  const makeTemplate = async () => {
    const url = await (await started()).createDatabase();
    await makeTables({ FAREGATE_DATA: folder.path, DATABASE_URL: url });
    return new URL(url).pathname.slice(1);
  };
  const addresses: Readonly<Record<Lent, () => Promise<string>>> = {
    // By the address of any database: a suite puts the name of its own in its place.
    postgres: async () => (await started()).url("postgres"),
    async chromium() {
      // The library is loaded only where a suite has a page to open.
      chromium ??= import("../browser/chromium.ts").then((room) => room.serveChromium());
      return (await chromium).wsEndpoint();
    },
    files() {
      files ??= makeFiles();
      return files;
    },
    template() {
      template ??= makeTemplate();
      return template;
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
      folder.remove();
    },
  };
}
