// A `faregate serve` with what stands beside it.
import { expect } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { TestServer } from "../../server.ts";
import { type Engine, SQLITE } from "../../store/engines.ts";
import { expectRightBooks } from "../books.ts";
import { isFull } from "../counts.ts";
import { MockVendor, VENDOR_KEY } from "../vendors/mock-vendor.ts";
import { noHolds } from "./database.ts";
import type { Parts } from "./house.ts";

interface Serving {
  readonly engine?: Engine;
  readonly settings?: Readonly<Record<string, string>>;
  /** What `faregate.yaml` says. */
  readonly file?: object;
  /** In the end nothing is held and every sum of the books is right. */
  readonly books?: boolean;
  /** For what is about the process; it has one anyway with the full counts. */
  readonly process?: boolean;
  /** What the log must not have said in the end. */
  readonly secret?: string;
}

/** In this process or, with the full counts, in one of its own. */
export function startServer(settings: Record<string, string>): Promise<TestServer> {
  return isFull ? TestServer.start(settings) : TestServer.startHere(settings);
}

/** A server on an empty database of its own. It must end by itself when it is told to. */
export async function serve(parts: Parts, serving: Serving = {}) {
  const database = await (serving.engine ?? SQLITE).site(parts);
  const settings = { ...database.settings, ...serving.settings };
  if (serving.file) {
    settings.FAREGATE_CONFIG = join(settings.FAREGATE_DATA, "faregate.yaml");
    writeFileSync(settings.FAREGATE_CONFIG, JSON.stringify(serving.file));
  }
  const start = serving.process ? TestServer.start : startServer;
  const running = (await start(settings)).stayBeside();
  const server = parts.adopt(running, async (started) => {
    try {
      expect(await started.stop()).toBe(0);
      if (serving.secret) expect(await started.errors).not.toContain(serving.secret);
    } finally {
      await started.kill();
    }
  });
  if (serving.books) {
    parts.defer(async () => {
      await noHolds(database);
      await expectRightBooks(server);
    });
  }
  return { server, database };
}

/** A server with one vendor behind it, which does as it is told, and a key with a hundred dollars. */
export async function serveMock(
  parts: Parts,
  settings: Readonly<Record<string, string>> = {},
  { process }: Pick<Serving, "process"> = {},
) {
  const vendor = parts.keep(new MockVendor());
  const { server, database } = await serve(parts, {
    settings: { ...vendor.settings, ...settings },
    books: true,
    ...(process && { process }),
    secret: VENDOR_KEY.slice(3),
  });
  const { key, accountId } = await server.account("100", "--rpm", "0");
  return { server, database, vendor, key, accountId };
}

export type MockHouse = Awaited<ReturnType<typeof serveMock>>;
