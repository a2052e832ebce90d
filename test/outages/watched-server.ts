// A server of its own process, and what clients and watchers see of it while its storage is out.
import { expect } from "bun:test";
import { TestServer } from "../server.ts";
import { expectRightBooks } from "../support/books.ts";
import { gauge, METRICS_PUBLIC } from "../support/gauges.ts";
import type { Parts } from "../support/houses/house.ts";
import { eventually } from "../support/waiting.ts";

const SHORT_WAITS = {
  FAREGATE_LOG: "warn",
  FAREGATE_ADMISSION_STORAGE_MS: "1000",
  FAREGATE_SETTLE_WAIT_MS: "3000",
};

const CHAT = { model: "sandbox-1.0", messages: [{ role: "user", content: "Say hello." }] };

export async function watchedServer(parts: Parts, settings: Readonly<Record<string, string>>) {
  const all = { ...settings, ...METRICS_PUBLIC, ...SHORT_WAITS };
  const server = parts.adopt(await TestServer.start(all), (running) => running.kill());
  const { key, accountId } = await server.account("100", "--rpm", "0");
  const ask = () => server.post("/chat/completions", key, CHAT);
  const ready = async () => (await fetch(new URL("/readyz", server.url))).status;
  return {
    server,
    accountId,
    ask,
    /** All works, and so it says. */
    async expectWell(): Promise<void> {
      await eventually("it is ready", async () => (await ready()) === 200);
      expect((await ask()).status).toBe(200);
      expect(await gauge(server.url, "storage_up")).toBe(1);
    },
    /** While the fault lasts: everybody is answered, nobody is served, and whoever looks is told. */
    async expectOut(requests = 20): Promise<void> {
      const refused = await Promise.all(Array.from({ length: requests }, ask));
      for (const response of refused) {
        expect(response.status).toBe(503);
        expect(response.headers.get("retry-after")).toMatch(/^\d+$/);
        expect(await response.json()).toMatchObject({ error: { code: "storage_unavailable" } });
      }
      await eventually("it is not ready", async () => (await ready()) === 503);
      expect(await gauge(server.url, "storage_up")).toBe(0);
    },
    /** In the end nothing is held, every sum is right, and the log has the beginning and the end of it. */
    async expectTold(): Promise<void> {
      const verified = () => server.within(({ store }) => store.ledger.verify());
      await eventually("no hold is left", async () => (await verified()).openHolds === 0);
      await expectRightBooks(server);
      expect(await server.stop()).toBe(0);
      const log = await server.errors;
      expect(log).toContain('"event":"storage_failed"');
      expect(log).toContain('"event":"storage_recovered"');
    },
  };
}
